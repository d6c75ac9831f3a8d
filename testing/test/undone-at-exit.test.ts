import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const MODULE = join(import.meta.dirname, '../src/undone-at-exit.ts')

/** What a process prints that sets up one thing after the other, and then does as told. */
const printed = (then: string): string =>
  execFileSync(process.execPath, [
    '--input-type=module',
    '-e',
    `import { undoneAtExit } from ${JSON.stringify(MODULE)}
    const [folder, server] = ['folder', 'server'].map((name) => undoneAtExit(() => console.log(name)))
    ${then}`,
  ]).toString()

test('what was set up is undone when the process ends, the last first', () => {
  expect(printed('process.exit(0)')).toBe('server\nfolder\n')
})

test('what has been undone is not undone again', () => {
  expect(printed(`server(); console.log('over')`)).toBe('server\nover\nfolder\n')
})
