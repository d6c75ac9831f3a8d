import { expect, test } from 'vitest'
import { Gathered } from '../src/store/gathered.ts'

test('questions of one turn of the loop are asked together, and each gets its own answer', async () => {
  const rounds: number[][] = []
  const gathered = new Gathered(async (questions: number[]) => {
    rounds.push(questions)
    return questions.map((n) => n * 10)
  })
  expect(await Promise.all([gathered.ask(1), gathered.ask(2), gathered.ask(3)])).toEqual([10, 20, 30])
  expect(await gathered.ask(4)).toBe(40)
  expect(rounds).toEqual([[1, 2, 3], [4]])
})

test('a failure reaches all who asked, and the next are asked again', async () => {
  let isAway = true
  const gathered = new Gathered(async (questions: number[]) => {
    if (isAway) throw new Error('away')
    return questions
  })
  const asked = await Promise.allSettled([gathered.ask(1), gathered.ask(2)])
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isAway = false
  expect(await gathered.ask(3)).toBe(3)
})
