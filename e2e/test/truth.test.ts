import { expect, test } from 'vitest'
import { walk } from '../truth/walk.ts'

test('no sentence of home, room and heat contradicts /v1, over the first hours of the week of the long trial', {
  timeout: 240_000,
}, async () => {
  const { moments, contradictions } = await walk(5)
  expect(contradictions).toEqual([])
  expect(moments).toBeGreaterThan(100)
})
