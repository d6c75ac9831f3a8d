import { DAY_MS, matches, type Release } from '@hypocaust/domain'
import type { Logger } from 'pino'
import Type from 'typebox'
import { boundedText } from '../base/bounded-text.ts'
import type { Clock } from '../base/clock.ts'

/** What is read of a release in the form in which GitHub describes its latest one. */
const Described = Type.Object({
  tag_name: Type.String({ maxLength: 100 }),
  body: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  html_url: Type.String({ pattern: '^https://' }),
})

const MOST_BYTES = 200_000
const MOST_NOTES = 4000
const LONGEST_MS = 5000
const ASKED_EVERY_MS = DAY_MS

interface ReleaseParts {
  /** Without it the service makes no request. */
  feed?: string
  version: string
  clock: Clock
  logger: Pick<Logger, 'warn'>
}

/**
 * The newest release if it is newer than this one. The service requests the feed when a page needs it, at most once a
 * day, and sends nothing about this installation.
 */
export class LatestRelease {
  readonly #parts: ReleaseParts
  #askedMs = Number.NEGATIVE_INFINITY
  #found: Promise<Release | null> = Promise.resolve(null)

  constructor(parts: ReleaseParts) {
    this.#parts = parts
  }

  get(): Promise<Release | null> {
    const { feed, clock } = this.#parts
    const nowMs = clock.now()
    if (feed !== undefined && Math.abs(nowMs - this.#askedMs) >= ASKED_EVERY_MS) {
      this.#askedMs = nowMs
      this.#found = this.#ask(feed, this.#found)
    }
    return this.#found
  }

  async #ask(feed: string, known: Promise<Release | null>): Promise<Release | null> {
    const { version, logger } = this.#parts
    try {
      const answer = await fetch(feed, {
        headers: { accept: 'application/json', 'user-agent': 'hypocaust' },
        redirect: 'error',
        signal: AbortSignal.timeout(LONGEST_MS),
      })
      if (!answer.ok) throw new Error(`it answered ${answer.status}`)
      const release: unknown = JSON.parse(await boundedText(answer, MOST_BYTES))
      if (!matches(Described, release)) throw new Error('it describes no release')
      const name = release.tag_name.replace(/^v/, '')
      if (!isNewer(name, version)) return null
      return { version: name, notes: (release.body ?? '').slice(0, MOST_NOTES), url: release.html_url }
    } catch (err) {
      logger.warn({ err, feed }, 'the feed of releases could not be read; it is asked again tomorrow')
      return known
    }
  }
}

/** By three numbers; what is no finished release is never newer. */
export function isNewer(name: string, version: string): boolean {
  const [other, own] = [numbersOf(name), numbersOf(version)]
  if (!other || !own) return false
  const at = other.findIndex((number, i) => number !== own[i])
  return at >= 0 && (other[at] as number) > (own[at] as number)
}

function numbersOf(version: string): number[] | undefined {
  return /^\d{1,6}\.\d{1,6}\.\d{1,6}$/.test(version) ? version.split('.').map(Number) : undefined
}
