import { Command, CommanderError } from 'commander'
import { EXIT_CODES, exitCodes, Failure } from './failure.ts'

/** The command by its name, with nothing yet that it can do. */
export const emptyProgram = (): Command =>
  new Command('hypocaust')
    .description('Floor-heating control')
    .addHelpText(
      'after',
      () =>
        `\nExit codes:\n${exitCodes()
          .map(([code, meaning]) => `  ${code}  ${meaning}`)
          .join('\n')}`,
    )
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => {
        const message = text.replace(/^error: /, '')
        write(wantsJson() ? `${jsonOf('usage', message.trim())}\n` : `hypocaust: ${message}`)
      },
    })

/** Also where the command line could not be understood, so its words are looked at themselves. */
const wantsJson = (): boolean => process.argv.includes('--json')

const jsonOf = (code: string, message: string): string => JSON.stringify({ error: { code, message } })

/** Carries out what stands on the command line; how it failed is in the exit code. */
export async function carryOut(program: Command, isUsageError: (error: unknown) => boolean): Promise<void> {
  try {
    await program.parseAsync()
  } catch (error) {
    process.exitCode = tell(error, isUsageError)
  }
}

const kindOf = (isUsage: boolean) =>
  isUsage ? ({ kind: 'usage', code: 'usage' } as const) : ({ kind: 'failed', code: 'failed' } as const)

function tell(error: unknown, isUsageError: (error: unknown) => boolean): number {
  // Commander has already printed what it has to say.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.usage
  const { message } = error as Error
  const { kind, code } = error instanceof Failure ? error : kindOf(isUsageError(error))
  console.error(wantsJson() ? jsonOf(code, message) : `hypocaust: ${message}`)
  return EXIT_CODES[kind]
}
