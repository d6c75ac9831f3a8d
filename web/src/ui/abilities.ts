/** What is missing for passkeys here: they belong to a host name and need HTTPS. */
export type PasskeyNeed = 'https' | 'browser' | 'name'

export function missingForPasskeys(): PasskeyNeed | undefined {
  if (!window.isSecureContext) return 'https'
  if (!('PublicKeyCredential' in window)) return 'browser'
  return isAddress(location.hostname) ? 'name' : undefined
}

const isAddress = (host: string): boolean => /^[\d.]+$|^\[/.test(host)
