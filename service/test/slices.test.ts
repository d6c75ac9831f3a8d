import { expect, test } from 'vitest'
import { Slices } from '../src/processes/slices.ts'

test('work that takes long lets the event loop turn in between, and all of it is done', async () => {
  let nowMs = 0
  const slices = new Slices(() => nowMs)
  const done: string[] = []
  // All go on at once, as after a read that they share.
  const read = Promise.resolve()
  const work = async (name: string) => {
    await read
    while (slices.isOver()) await slices.next()
    nowMs += 15
    done.push(name)
  }
  const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map(work))
  setImmediate(() => done.push('turn'))
  await all
  expect(done.slice(0, 3)).toEqual(['a', 'b', 'turn'])
  expect(done.filter((name) => name !== 'turn')).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('work that takes no time is done in one turn', () => {
  const slices = new Slices(() => 0)
  for (let i = 0; i < 100; i++) expect(slices.isOver()).toBe(false)
})
