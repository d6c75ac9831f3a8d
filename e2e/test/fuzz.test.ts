import { expect, test } from 'vitest'
import { printed, runFuzz } from '../fuzz/run.ts'

/** The short form: npm run test:fuzz tries more than a hundred thousand cases. */
test('whatever is sent: no 5xx, no crash, no hang, no other error shape than the agreed one', {
  timeout: 300_000,
}, async () => {
  const report = await runFuzz({ seed: 1, cases: 2000 })
  console.log(printed(report))
  expect(report.verdict.cases).toBeGreaterThanOrEqual(2000)
  expect(report.verdict.faults).toEqual([])
})
