import type { Command } from 'commander'
import { expect, test } from 'vitest'
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
    'programme show',
    'programme edit',
  ]) {
    expect(names).toContain(name)
  }
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
  if (/ (serve|demo|doctor|account|building|key) ?/.test(path)) expect(flags).toContain('--data')
})
