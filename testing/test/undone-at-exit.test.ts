import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const MODULE = join(import.meta.dirname, '../src/undone-at-exit.ts')

/** The output of a process that sets up a folder, then a server, and then runs the given code. */
const outputOf = (code: string): string =>
  execFileSync(process.execPath, [
    '--input-type=module',
    '-e',
    `import { undoneAtExit } from ${JSON.stringify(MODULE)}
    const [folder, server] = ['folder', 'server'].map((name) => undoneAtExit(() => console.log(name)))
    ${code}`,
  ]).toString()

test('what was set up is undone when the process ends, the last first', () => {
  expect(outputOf('process.exit(0)')).toBe('server\nfolder\n')
})

test('what has been undone is not undone again', () => {
  expect(outputOf(`server(); console.log('over')`)).toBe('server\nover\nfolder\n')
})
