import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { PushNetwork } from '../../service/src/people/notify/push/network.ts'

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name))
const CERT = fixture('self-signed-cert.pem')
const OTHER_PROTOCOL = { connection: 'upgrade', upgrade: 'another' }

interface ReceivedPush {
  path: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields it expects
  message: any
  headers: Record<string, string | string[] | undefined>
}

/** A push service on loopback, and the browsers behind it: it opens what was encrypted for them. */
export class PushService {
  readonly received: ReceivedPush[] = []
  /** What it answers. */
  status = 201
  readonly #browsers = new Map<string, { keys: ECDH; auth: Buffer }>()
  #server: Server | undefined

  /** The one allowance in place of the guard: this server, and nothing else on this machine. */
  get network(): PushNetwork {
    return { accepts: (endpoint) => endpoint.startsWith(`${this.url}/`), agent: new Agent({ ca: CERT }) }
  }

  get url(): string {
    const address = this.#server?.address() as AddressInfo | undefined
    return `https://127.0.0.1:${address?.port}`
  }

  async start(): Promise<void> {
    this.#server = createServer({ cert: CERT, key: fixture('self-signed-key.pem') }, async (request, response) => {
      const body = await buffer(request)
      const browser = this.#browsers.get(request.url ?? '')
      if (browser && this.status >= 200 && this.status < 300) {
        const message = JSON.parse(opened(body, browser).toString())
        this.received.push({ path: request.url ?? '', message, headers: request.headers })
      }
      response.writeHead(this.status, this.status === 101 ? OTHER_PROTOCOL : {}).end('whatever')
    })
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise((resolve) => (this.#server ? this.#server.close(resolve) : resolve(undefined)))
  }

  /** What a browser would hand out. */
  subscribe(name = randomBytes(8).toString('hex')) {
    const keys = createECDH('prime256v1')
    const p256dh = keys.generateKeys().toString('base64url')
    const auth = randomBytes(16)
    this.#browsers.set(`/${name}`, { keys, auth })
    return { endpoint: `${this.url}/${name}`, p256dh, auth: auth.toString('base64url') }
  }
}

/** RFC 8291: message encryption for web push, one record. */
function opened(body: Buffer, { keys, auth }: { keys: ECDH; auth: Buffer }): Buffer {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + keyLength)
  const sealed = body.subarray(21 + keyLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender])
  const secret = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32))
  const derive = (label: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${label}\0`, length))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2))
}

/** RFC 8292: who sent it, signed with the key the browser was given. */
export function vapidClaims(authorization: string, publicKey: string): { aud: string; sub: string; exp: number } {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  if (key !== publicKey) throw new Error('signed with another key')
  const point = Buffer.from(publicKey, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const verifier = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const }
  const isRight = verify('sha256', Buffer.from(`${head}.${claims}`), verifier, Buffer.from(signature, 'base64url'))
  if (!isRight) throw new Error('the signature is wrong')
  return JSON.parse(Buffer.from(claims, 'base64url').toString())
}
