import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type Command, CommanderError } from 'commander'
import { buildProgram } from '../../cli/src/program.ts'
import type { Chance } from './chance.ts'
import { timed, type Verdict } from './verdict.ts'

/** These stay until they are ended, ask a person, or write a shell's file: only their flags are tried. */
const STAYS = ['serve', 'demo', 'matter', 'login']

/** The command with flags and arguments of its own, nearly right or not. It fails in words, never with a stack. */
export async function fuzzCommands(cases: number, chance: Chance, verdict: Verdict): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-fuzz-command-'))
  writeFileSync(join(folder, 'file.yaml'), 'name: x\n')
  const back = process.cwd()
  const printed = silenced()
  process.chdir(folder)
  try {
    for (let i = 0; i < cases; i++) {
      const args = argumentsOf(chance, folder)
      const what = () => `hypocaust ${JSON.stringify(args)}`
      const error = await timed(verdict, what, () => withoutInput(() => carriedOut(args)))
      if (error && !isInWords(error)) verdict.fault('crash', `${error.stack} for ${what()}`)
    }
  } finally {
    process.chdir(back)
    process.exitCode = 0
    printed.restore()
    rmSync(folder, { recursive: true, force: true })
  }
  verdict.count('command lines', cases)
}

function argumentsOf(chance: Chance, folder: string): string[] {
  let command: Command = buildProgram()
  const words: string[] = []
  while (command.commands.length > 0) {
    command = chance.pick(command.commands)
    words.push(command.name())
  }
  const stays = STAYS.includes(words[0] ?? '')
  const flags = command.options.flatMap((option) => {
    if (!chance.one(option.required ? 0.6 : 0.3)) return []
    const name = option.long ?? option.short ?? ''
    return option.required || option.optional ? [name, wordOf(chance, folder)] : [name]
  })
  const positional = command.registeredArguments.filter(() => chance.one(0.8)).map(() => wordOf(chance, folder))
  const data = command.options.some(({ long }) => long === '--data') ? ['--data', join(folder, 'data')] : []
  return [...words, ...positional, ...flags, ...data, ...(stays || chance.one(0.05) ? ['--no-such-flag'] : [])]
}

const wordOf = (chance: Chance, folder: string): string =>
  chance.one(0.5)
    ? // No argument of a process can hold a NUL.
      chance.text().replaceAll('\0', '')
    : chance.pick([
        '0',
        '1',
        '22.5',
        'read',
        'write',
        'ada@example.org',
        join(folder, 'file.yaml'),
        'http://127.0.0.1:1',
      ])

/** Words for a person: of the command line's own parser, or of one of our own errors. */
const isInWords = (error: Error): boolean =>
  error instanceof CommanderError || !['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'].includes(error.name)

/** A command that reads its standard input finds the end of it at once. */
async function withoutInput<T>(work: () => Promise<T>): Promise<T> {
  const own = Object.getOwnPropertyDescriptor(process, 'stdin')
  Object.defineProperty(process, 'stdin', { value: Readable.from([]), configurable: true })
  try {
    return await work()
  } finally {
    if (own) Object.defineProperty(process, 'stdin', own)
  }
}

async function carriedOut(args: string[]): Promise<Error | undefined> {
  try {
    await buildProgram().parseAsync(args, { from: 'user' })
    return undefined
  } catch (error) {
    return error as Error
  }
}

function silenced(): { restore(): void } {
  const { log, error } = console
  const [out, err] = [process.stdout.write, process.stderr.write]
  console.log = console.error = () => {}
  process.stdout.write = process.stderr.write = () => true
  return {
    restore() {
      Object.assign(console, { log, error })
      process.stdout.write = out
      process.stderr.write = err
    },
  }
}
