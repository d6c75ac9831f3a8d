import { hypocaust } from '@hypocaust/testing/command.ts'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { EXIT_CODES, EXIT_MEANINGS, type FailureKind } from '../src/failure.ts'
import { buildProgram } from '../src/program.ts'

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

const walk = (command: Command): Command[] => [command, ...command.commands.flatMap(walk)]

const commands = walk(buildProgram()).map((command) => [pathOf(command), command] as const)
const leaves = commands.filter(([, command]) => command.commands.length === 0)

test('the commands of the interface are all there', () => {
  const names = leaves.map(([path]) => path.replace('hypocaust ', ''))
  for (const name of [
    'serve',
    'demo',
    'doctor',
    'account create',
    'account list',
    'building apply',
    'building list',
    'key create',
    'key list',
    'key revoke',
    'boost',
    'away',
    'back',
    'presence',
    'calendar list',
    'calendar add',
    'calendar refresh',
    'calendar remove',
    'programme show',
    'programme edit',
  ]) {
    expect(names).toContain(name)
  }
})

test('--help lists the exit codes', async () => {
  const { stdout } = await hypocaust(process.cwd(), ['--help'])
  for (const [kind, code] of Object.entries(EXIT_CODES)) {
    expect(stdout).toMatch(new RegExp(`^ +${code} +${EXIT_MEANINGS[kind as FailureKind]}$`, 'm'))
  }
  expect(stdout).toMatch(/^ +0 +/m)
})

test('the manual page names every command, flag and exit code', async () => {
  const { stdout } = await hypocaust(process.cwd(), ['man'])
  expect(stdout).toMatch(/^\.TH HYPOCAUST 1 /)
  const text = stdout.replaceAll('\\-', '-').replaceAll(/\\f[BIR]/g, '')
  const shown = leaves.filter(([path]) => path !== 'hypocaust room-names')
  for (const [path, command] of shown) {
    expect(text).toContain(path)
    for (const { flags } of command.options) expect(text, path).toContain(flags)
  }
  for (const [kind, code] of Object.entries(EXIT_CODES))
    expect(text).toContain(`${code}\n${EXIT_MEANINGS[kind as FailureKind]}`)
  // A line that begins with a dot or an apostrophe is a request of the formatter.
  for (const line of stdout.split('\n')) expect(line).toMatch(/^(?![.'])|^\.(TH|SH|SS|TP|PP|B|br)\b/)
})

test.each(commands)('%s --help tells what it does and what every flag means', (path, command) => {
  const help = command.helpInformation()
  expect(help).toContain(`Usage: ${path}`)
  expect(command.description()).not.toBe('')
  for (const option of command.options) expect(option.description, `${path} ${option.flags}`).not.toBe('')
})

test.each(leaves.filter(([path]) => !/ (serve|demo|mcp|house [a-z-]+)$/.test(path)))(
  '%s can print JSON',
  (_path, command) => {
    expect(command.options.map(({ long }) => long)).toContain('--json')
  },
)

test.each(leaves)('%s takes the data folder, where it works on one', (path, command) => {
  const flags = command.options.map(({ long }) => long)
  // A building moves between two databases, and neither is in a folder.
  if (path === 'hypocaust building move') return expect(flags).toContain('--database-url')
  if (/ (serve|demo|doctor|account|building|key) ?/.test(path)) expect(flags).toContain('--data')
})
