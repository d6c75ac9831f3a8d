import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { buildProgram } from '../src/program.ts'

const root = resolve(import.meta.dirname, '../..')
const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'CODE_OF_CONDUCT.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }),
]
  .map((name) => (name.endsWith('.md') && !existsSync(join(root, name)) ? join('docs', name) : name))
  .filter((name) => name.endsWith('.md'))

const text = (name: string) => readFileSync(join(root, name), 'utf8')

test.each(documents)('every link within %s leads somewhere', (name) => {
  const links = [...text(name).matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link)
  for (const link of links.filter((target) => !/^[a-z]+:/.test(target))) {
    expect(existsSync(resolve(root, dirname(name), link)), link).toBe(true)
  }
})

test('every command and flag the README shows exists', () => {
  const shown = [...text('README.md').matchAll(/npx hypocaust ([a-z].*)/g)].map(([, line = '']) => line)
  const listed = [...text('README.md').matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(?!npx)([a-z][a-z -]*[a-z])(?: …)?`/g)].map(([, name = '']) => name),
  )
  expect(shown.length).toBeGreaterThan(3)
  expect(listed.length).toBeGreaterThan(8)
  for (const line of [...shown, ...listed]) {
    const command = find(buildProgram(), line.split(' '))
    for (const [flag] of line.matchAll(/--[a-z-]+/g)) {
      expect(
        command.options.map(({ long }) => long),
        line,
      ).toContain(flag)
    }
  }
})

function find(command: Command, [word, ...rest]: string[]): Command {
  if (word === undefined || command.commands.length === 0) return command
  const found = command.commands.find((child) => child.name() === word)
  expect(found, `${command.name()} ${word}`).toBeDefined()
  return find(found as Command, rest)
}
