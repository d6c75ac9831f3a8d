import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const COOKIE = 'hypocaust-page'

/** The secret of the page, made at its first start. The cookie and the forms bear what is derived from it. */
export class PageToken {
  readonly #token: string

  constructor(dataFolder: string) {
    this.#token = readOrMake(join(dataFolder, 'page-token'))
  }

  isToken(text: string): boolean {
    return isSame(text.trim(), this.#token)
  }

  /** For every form: a page elsewhere cannot know it. */
  get csrf(): string {
    return this.#derived('form')
  }

  isCsrf(text: string): boolean {
    return isSame(text, this.csrf)
  }

  get cookie(): string {
    return `${COOKIE}=${this.#derived('session')}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000`
  }

  isSignedIn(cookies = ''): boolean {
    const found = cookies.split(';').map((each) => each.trim().split('='))
    return found.some(([name, value]) => name === COOKIE && isSame(value ?? '', this.#derived('session')))
  }

  #derived(what: string): string {
    return createHmac('sha256', this.#token).update(what).digest('hex')
  }
}

function readOrMake(file: string): string {
  try {
    const kept = readFileSync(file, 'utf8').trim()
    if (kept !== '') return kept
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  const token = randomBytes(18).toString('base64url')
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${token}\n`, { mode: 0o600 })
  return token
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
