import { Command, CommanderError } from 'commander'
import { UsageFailure } from './failure.ts'

/** The command by its name, with nothing yet that it can do. */
export const emptyProgram = (): Command =>
  new Command('hypocaust')
    .description('Floor-heating control')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`hypocaust: ${text.replace(/^error: /, '')}`) })

/** Carries out what stands on the command line; a mistake of usage ends with 2, any other failure with 1. */
export async function carryOut(program: Command, isUsageError: (error: unknown) => boolean): Promise<void> {
  try {
    await program.parseAsync()
  } catch (error) {
    process.exitCode = tell(error, isUsageError)
  }
}

function tell(error: unknown, isUsageError: (error: unknown) => boolean): number {
  // Commander has already printed what it has to say.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  console.error(`hypocaust: ${error instanceof Error ? error.message : error}`)
  return error instanceof UsageFailure || isUsageError(error) ? 2 : 1
}
