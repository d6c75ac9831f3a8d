/** What keeps a command from running, in one line for a person: what happened, where, what to do. */
export class StartupError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StartupError'
  }
}

/** The same, about a flag of the command line. */
export class UsageError extends StartupError {}
