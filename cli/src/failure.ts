/** Why a command could not be carried out, and the exit code that says so to a script. */
export const EXIT_CODES = { failed: 1, usage: 2, not_found: 3, refused: 4, no_connection: 5 } as const
export type FailureKind = keyof typeof EXIT_CODES

/** For the help and the manual page. */
export const EXIT_MEANINGS: Record<FailureKind, string> = {
  failed: 'the command failed for another reason, for instance an error of the service',
  usage: 'the command line was not understood',
  not_found: 'there is no such building, room, account or key',
  refused: 'the service refused the request: the key, the permission or a value',
  no_connection: 'the service could not be reached',
}

/** Each exit code with what it means, success first. */
export const exitCodes = (): [number, string][] => [
  [0, 'done'],
  ...Object.entries(EXIT_CODES).map(([kind, code]): [number, string] => [code, EXIT_MEANINGS[kind as FailureKind]]),
]

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
