import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

interface Ceremony {
  challenge: string
  origin: string
  /** Whether the person proved to be there with a PIN, a finger or a face. */
  isVerified?: boolean
}

/** An authenticator with one passkey, as a browser would speak for it. */
export class Authenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #id = randomBytes(16)

  /** The answer to the options of a registration. */
  register(ceremony: Ceremony) {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const cosePublicKey = cborMap([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
    const length = Buffer.from([0, this.#id.length])
    const credential = Buffer.concat([Buffer.alloc(16), length, this.#id, cosePublicKey])
    const attestationObject = cborMap([
      ['fmt', 'none'],
      ['attStmt', []],
      ['authData', Buffer.concat([authenticatorData(ceremony, HAS_CREDENTIAL), credential])],
    ])
    const clientDataJSON = clientData('webauthn.create', ceremony)
    return this.#answer({ clientDataJSON, attestationObject, transports: ['internal'] })
  }

  /** The answer to the options of a sign-in. */
  signIn(ceremony: Ceremony) {
    const clientDataJSON = clientData('webauthn.get', ceremony)
    const data = authenticatorData(ceremony)
    const signed = Buffer.concat([data, createHash('sha256').update(clientDataJSON).digest()])
    const signature = sign('sha256', signed, this.#keys.privateKey)
    return this.#answer({ clientDataJSON, authenticatorData: data, signature })
  }

  #answer(response: Record<string, Buffer | string[]>) {
    const encoded = Object.entries(response).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? value.toString('base64url') : value,
    ])
    const id = this.#id.toString('base64url')
    const credential = { id, rawId: id, type: 'public-key', clientExtensionResults: {} }
    return { response: { ...credential, response: Object.fromEntries(encoded) } }
  }
}

const clientData = (type: string, { challenge, origin }: Ceremony): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

function authenticatorData({ origin, isVerified = true }: Ceremony, more = 0): Buffer {
  const site = createHash('sha256').update(new URL(origin).hostname).digest()
  const flags = USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | more
  return Buffer.concat([site, Buffer.from([flags]), Buffer.alloc(4)])
}

type CborValue = number | string | Buffer | CborEntry[]
type CborEntry = [number | string, CborValue]

const cborMap = (entries: CborEntry[]): Buffer =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flatMap(([key, value]) => [cbor(key), cbor(value)])])

function cbor(value: CborValue): Buffer {
  if (Array.isArray(value)) return cborMap(value)
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  const bytes = Buffer.from(value)
  return Buffer.concat([cborHead(typeof value === 'string' ? 3 : 2, bytes.length), bytes])
}

function cborHead(kind: number, size: number): Buffer {
  return size < 24 ? Buffer.from([(kind << 5) | size]) : Buffer.from([(kind << 5) | 24, size])
}
