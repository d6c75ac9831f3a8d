import { ENGINES } from '@hypocaust/testing/database.ts'
import { expect, test } from 'vitest'
import { printed, runFuzz } from '../fuzz/run.ts'

/** The short form, beside other tests: only what seems never to end is a hang. npm run test:fuzz takes a second for one. */
const HANG_MS = 30_000
/** A number whose shares are odd: half of one is still a whole number of cases. */
const CASES = 420

test.each(ENGINES)(
  'whatever is sent, on %s: no 5xx, no crash, no hang, no other error shape than the agreed one',
  {
    timeout: 300_000,
  },
  async (engine) => {
    const report = await runFuzz({ engine, seed: 1, cases: CASES, hangMs: HANG_MS })
    console.log(printed(report))
    expect(report.verdict.cases).toBeGreaterThanOrEqual(CASES)
    expect(report.verdict.faults).toEqual([])
  },
)
