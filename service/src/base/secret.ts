import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * API keys, tokens of gateways and invitations share one form: prefix, 32 random characters, 6 of a checksum. So do an
 * app's access tokens, refresh tokens, codes and the codes of devices, and links to a programme.
 */
type SecretPrefix = 'hyp_' | 'hypg_' | 'hypi_' | 'hypa_' | 'hypr_' | 'hypc_' | 'hypd_' | 'hypl_'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const DIGITS: (number | undefined)[] = []
for (let digit = 0; digit < BASE62.length; digit++) DIGITS[BASE62.charCodeAt(digit)] = digit
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6

/** Finds secrets in text, so that none is ever logged. */
export const SECRET_IN_TEXT = /(hyp[giarcdl]?_)[0-9A-Za-z]{38}/g

export function newSecret(prefix: SecretPrefix): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('')
  return prefix + random + checksum(prefix + random)
}

/** A mistyped secret is refused here, without a look-up. */
export function isWellFormed(prefix: SecretPrefix, secret: string): boolean {
  const length = prefix.length + RANDOM_LENGTH + CHECKSUM_LENGTH
  if (secret.length !== length || !secret.startsWith(prefix)) return false
  let written = 0
  for (let at = prefix.length; at < length; at++) {
    const digit = DIGITS[secret.charCodeAt(at)]
    if (digit === undefined) return false
    if (at >= length - CHECKSUM_LENGTH) written = written * BASE62.length + digit
  }
  return written === crc32(secret.slice(0, -CHECKSUM_LENGTH))
}

export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex')

export const hintOf = (prefix: SecretPrefix, secret: string): string => `${prefix}…${secret.slice(-4)}`

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = BASE62[rest % BASE62.length] + digits
    rest = Math.floor(rest / BASE62.length)
  }
  return digits
}
