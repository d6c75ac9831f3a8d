import { expect, test } from 'vitest'
import { zipped } from '../src/base/zip.ts'

const PARTS = 50

test('an archive lets other work go on after each of its parts', async () => {
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  async function* parts() {
    for (let i = 0; i < PARTS; i++) yield 'a line\n'
  }
  async function* files() {
    yield { name: 'a.csv', parts: parts() }
  }
  for await (const _ of zipped(files()));
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(PARTS)
})
