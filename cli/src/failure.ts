/** Why a command could not be carried out, and the exit code that says so to a script. */
export const EXIT_CODES = { failed: 1, usage: 2, not_found: 3, refused: 4, no_connection: 5 } as const
export type FailureKind = keyof typeof EXIT_CODES

/** A command that cannot be carried out: one line on standard error. */
export class Failure extends Error {
  readonly kind: FailureKind
  /** The service's own code, where it is the service that refused. */
  readonly code: string

  constructor(message: string, kind: FailureKind = 'failed', code: string = kind) {
    super(message)
    this.kind = kind
    this.code = code
  }
}

/** A command that was not understood. */
export class UsageFailure extends Failure {
  constructor(message: string) {
    super(message, 'usage')
  }
}

/** What the command line refers to does not exist. */
export class NotFound extends Failure {
  constructor(message: string) {
    super(message, 'not_found')
  }
}
