import type { InjectOptions } from 'fastify'
import type { AppParts } from '../../service/src/roles/api.ts'
import type { Engine } from './database.ts'
import { PASSWORD } from './houses.ts'
import { sessionCookie } from './session.ts'
import { type Answer, openWorld, type World } from './world.ts'

export const HOST = 'heating.local'
export { PASSWORD }

type Method = NonNullable<InjectOptions['method']>

/** A browser as far as the server can tell: it keeps cookies and names its origin. */
export class Browser {
  readonly #world: World
  readonly #cookies = new Map<string, string>()
  readonly #scheme: 'http' | 'https'
  setCookies: string[] = []

  constructor(world: World, scheme: 'http' | 'https' = 'http') {
    this.#world = world
    this.#scheme = scheme
  }

  /** With a cookie that another sign-in got. */
  static withCookie(world: World, name: string, value: string): Browser {
    const browser = new Browser(world)
    browser.#cookies.set(name, value)
    return browser
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async call(method: Method, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.#world.app.inject({
      method,
      url: path,
      headers: {
        host: HOST,
        'user-agent': 'Firefox',
        ...(this.#cookies.size > 0 && { cookie: this.cookie }),
        ...(this.#scheme === 'https' && { 'x-forwarded-proto': 'https' }),
        ...(method !== 'GET' && { origin: `${this.#scheme}://${HOST}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    this.setCookies = [answer.headers['set-cookie'] ?? []].flat()
    for (const cookie of this.setCookies) this.#keep(cookie)
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
      text: answer.body,
      json: /json/.test(String(answer.headers['content-type'])) ? answer.json() : undefined,
    }
  }

  signIn(email = 'ada@example.org', password = PASSWORD): Promise<Answer> {
    return this.call('POST', '/app/session', { email, password })
  }

  #keep(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split(/;\s*/)
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    if (value === '' || attributes.some((attribute) => /^max-age=0$/i.test(attribute))) this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}

export const WEBSITE = {
  authSecret: 'a secret of more than thirty-two characters',
  openSignUp: false,
  oauthRegistration: false,
  weatherSource: 'none' as const,
  installedAs: 'sources' as const,
  folder: '/none',
}

export const openSite = (engine: Engine, overrides: Partial<AppParts> = {}): Promise<World> =>
  openWorld(engine, { website: WEBSITE, ...overrides })

export async function signedIn(world: World, email = 'ada@example.org'): Promise<Browser> {
  const { name, value } = await sessionCookie(world.store, WEBSITE.authSecret, `http://${HOST}`, email)
  return Browser.withCookie(world, name, value)
}
