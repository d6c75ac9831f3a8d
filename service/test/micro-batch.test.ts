import { expect, test } from 'vitest'
import { MicroBatch } from '../src/store/micro-batch.ts'
import { StoreError } from '../src/store/store.ts'

test('questions of one turn of the loop are asked together, and each gets its own answer', async () => {
  const rounds: number[][] = []
  const gathered = new MicroBatch(async (questions: number[]) => {
    rounds.push(questions)
    return questions.map((n) => n * 10)
  })
  expect(await Promise.all([gathered.ask(1), gathered.ask(2), gathered.ask(3)])).toEqual([10, 20, 30])
  expect(await gathered.ask(4)).toBe(40)
  expect(rounds).toEqual([[1, 2, 3], [4]])
})

test('a question that fails concerns only who asked it', async () => {
  const gathered = new MicroBatch(async (questions: number[]) => {
    if (questions.includes(2)) throw new StoreError('other', 'two')
    return questions
  })
  const asked = await Promise.allSettled([gathered.ask(1), gathered.ask(2), gathered.ask(3)])
  expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('while the database is away all are refused by one attempt, and the next are asked again', async () => {
  let attempts = 0
  const gathered = new MicroBatch(async (questions: number[]) => {
    if (attempts++ === 0) throw new StoreError('unavailable', 'away')
    return questions
  })
  const asked = await Promise.allSettled([gathered.ask(1), gathered.ask(2)])
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await gathered.ask(3)).toBe(3)
  expect(attempts).toBe(2)
})
