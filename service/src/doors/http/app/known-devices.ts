import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

const COOKIE = 'hypocaust.device'
const YEAR_S = 365 * 86_400

/** A signed cookie says that this browser has signed in to an account before. It opens nothing. */
export class KnownDevices {
  readonly #secret: string

  constructor(secret: string) {
    this.#secret = secret
  }

  isKnown = (request: FastifyRequest, email: string): boolean => {
    const given = (request.headers.cookie ?? '')
      .split(';')
      .map((each) => each.trim().split('='))
      .filter(([name]) => name === COOKIE)
    const wanted = Buffer.from(this.#sign(email))
    return given.some(([, value = '']) => {
      const bytes = Buffer.from(value)
      return bytes.length === wanted.length && timingSafeEqual(bytes, wanted)
    })
  }

  remember(reply: FastifyReply, email: string): void {
    const secure = reply.request.protocol === 'https' ? '; Secure' : ''
    const cookie = `${COOKIE}=${this.#sign(email)}; Max-Age=${YEAR_S}; Path=/app; HttpOnly; SameSite=Strict${secure}`
    reply.header('set-cookie', cookie)
  }

  #sign(email: string): string {
    return createHmac('sha256', this.#secret).update(`device ${email.toLowerCase()}`).digest('base64url')
  }
}
