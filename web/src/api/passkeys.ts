import type { SignInResult } from '@hypocaust/domain'
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { ApiError, api } from './http.ts'

export async function signInWithPasskey(): Promise<SignInResult> {
  const optionsJSON = await api<PublicKeyCredentialRequestOptionsJSON>('POST', '/session/passkey/options')
  const response = await asked(() => startAuthentication({ optionsJSON }))
  return api('POST', '/session/passkey', { response })
}

export async function addPasskey(name: string, password: string): Promise<void> {
  const optionsJSON = await api<PublicKeyCredentialCreationOptionsJSON>('POST', '/passkeys/options', { password })
  const response = await asked(() => startRegistration({ optionsJSON }))
  await api('POST', '/passkeys', { response, name })
}

/** Cancelling the browser's question gives the same message as a passkey that does not fit. */
async function asked<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question()
  } catch {
    throw new ApiError('passkey_refused', 0, '')
  }
}
