import { expect, test } from 'vitest'
import { keptShare, walk } from '../truth/walk.ts'
import { EVENTS } from '../truth/week.ts'

const WEEK_H = 7 * 24

test('no sentence of home, room and heat contradicts /v1 over a week of programmes, absences, overrides and faults', {
  timeout: 3_600_000,
}, async () => {
  const walked = await walk(WEEK_H)
  console.log(`${walked.moments} moments, ${walked.contradictions.length} contradictions`, walked.doings)
  console.log(`${walked.promises.length} promises, ${(100 * keptShare(walked)).toFixed(0)} % kept within 0.3 K`)
  expect(walked.contradictions).toEqual([])
  expect(walked.moments).toBeGreaterThanOrEqual(5000)
  expect(EVENTS.every(([hour]) => hour < WEEK_H)).toBe(true)
  for (const doing of [
    'off',
    'manual',
    'loop_search',
    'loop_test',
    'watched_unseen',
    'gateway_lost',
    'base_warmth',
    'between_openings',
  ])
    expect(Object.keys(walked.doings)).toContain(doing)
})
