import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { hashSecret, newSecret } from '../../base/secret.ts'

const MOSQUITTO_ITERATIONS = 101
const SALT_BYTES = 12
const HASH_BYTES = 64

/** A new token, and the two forms in which it is kept: ours, and that of Mosquitto's password file. */
export function newGatewayToken(): { token: string; tokenHash: string; mqttHash: string } {
  const token = newSecret('hypg_')
  return { token, tokenHash: hashSecret(token), mqttHash: mosquittoHash(token) }
}

/** The form `mosquitto_passwd` writes. A token is random, so a few rounds are as good as many. */
export function mosquittoHash(password: string, salt = randomBytes(SALT_BYTES)): string {
  const hash = pbkdf2Sync(password, salt, MOSQUITTO_ITERATIONS, HASH_BYTES, 'sha512')
  return `$7$${MOSQUITTO_ITERATIONS}$${salt.toString('base64')}$${hash.toString('base64')}`
}
