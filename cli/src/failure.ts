/** A command that cannot be carried out: one line on standard error, exit code 1. */
export class Failure extends Error {}

/** A command that was not understood: one line on standard error, exit code 2. */
export class UsageFailure extends Error {}
