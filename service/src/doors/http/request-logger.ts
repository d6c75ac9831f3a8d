import type { FastifyBaseLogger } from 'fastify'
import type { Bindings } from 'pino'

type Line = Parameters<FastifyBaseLogger['info']>

/** A request's logger with its id, made when the first line is logged: most requests log none. */
export class RequestLogger {
  readonly #parent: FastifyBaseLogger
  readonly #bindings: Bindings
  #made: FastifyBaseLogger | undefined

  constructor(parent: FastifyBaseLogger, bindings: Bindings) {
    this.#parent = parent
    this.#bindings = bindings
  }

  get level(): string {
    return this.#parent.level
  }

  fatal(...line: Line): void {
    this.#own.fatal(...line)
  }

  error(...line: Line): void {
    this.#own.error(...line)
  }

  warn(...line: Line): void {
    this.#own.warn(...line)
  }

  info(...line: Line): void {
    this.#own.info(...line)
  }

  debug(...line: Line): void {
    this.#own.debug(...line)
  }

  trace(...line: Line): void {
    this.#own.trace(...line)
  }

  silent(): void {}

  child(...given: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#own.child(...given)
  }

  get #own(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(this.#bindings)
    return this.#made
  }
}
