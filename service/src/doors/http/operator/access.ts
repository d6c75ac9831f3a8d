import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import { type Operator, operatorOf } from '../../../people/operators/operators.ts'
import { OPERATOR_SESSION_MS, openSession, operatorOfSession } from '../../../people/operators/sessions.ts'
import type { Store } from '../../../store/store.ts'
import { Throttle } from '../app/throttle.ts'
import { UsedCodes } from '../app/used-codes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    operator: Operator
  }
}

const COOKIE = 'hypocaust-operator'

/** For every form: a page elsewhere cannot know it. Empty where nobody is signed in. */
export function csrfOf({ headers }: FastifyRequest): string {
  const token = tokenIn(headers.cookie)
  return token === '' ? '' : createHash('sha256').update(`form ${token}`).digest('hex')
}

export function refuseForeignForm(request: FastifyRequest): void {
  const [given, right] = [fieldOf(request, 'csrf'), csrfOf(request)].map((text) => Buffer.from(text))
  if (!given || !right || given.length !== right.length || !timingSafeEqual(given, right)) throw errors.foreignOrigin()
}

/** A field of a form; what no database stores is left out. */
export function fieldOf({ body }: FastifyRequest, name: string): string {
  const value = body instanceof URLSearchParams ? (body.get(name) ?? '') : ''
  return name === 'password' ? value : value.replace(/\p{Cc}+/gu, ' ').trim()
}

export const tokenIn = (cookies = ''): string =>
  cookies
    .split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1) ?? ''

export function setCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  const secure = request.protocol === 'https' ? '; Secure' : ''
  const age = token === '' ? 0 : OPERATOR_SESSION_MS / 1000
  reply.header('set-cookie', `${COOKIE}=${token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${age}${secure}`)
}

/** Forms and nothing else have a body here. */
export function parseForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(body as string)),
  )
}

/** Both factors for every session; guessing is slow, and a code is valid once. */
export class OperatorAccess {
  readonly #store: Store
  readonly #clock: Clock
  readonly #authSecret: string
  readonly #throttle: Throttle
  readonly #codes: UsedCodes

  constructor(store: Store, clock: Clock, authSecret: string) {
    this.#store = store
    this.#clock = clock
    this.#authSecret = authSecret
    this.#throttle = new Throttle(store, clock)
    this.#codes = new UsedCodes(store, clock)
  }

  /** The token of a new session, or a refusal as an error. */
  signIn(request: FastifyRequest): Promise<string> {
    const [name = '', password = '', code = ''] = ['name', 'password', 'code'].map((field) => fieldOf(request, field))
    return this.#throttle.guard(request, `operator ${name}`, async () => {
      const operator = await operatorOf(this.#store, this.#authSecret, { name, password, code })
      if (!operator || !(await this.#codes.isFirstUse(operator.id, code))) throw errors.wrongCredentials()
      const token = await openSession(this.#store, this.#clock.now(), operator, request.ip)
      if (token === undefined) throw errors.wrongCredentials()
      return token
    })
  }

  async operatorOf({ headers }: FastifyRequest): Promise<Operator | undefined> {
    const token = tokenIn(headers.cookie)
    return token === '' ? undefined : operatorOfSession(this.#store, this.#clock.now(), token)
  }
}
