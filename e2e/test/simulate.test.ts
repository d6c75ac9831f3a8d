import { describe, expect, test } from 'vitest'
import { simulateAll } from '../simulate/fleet.ts'

/** The short form: npm run test:simulate takes thousands of seeds. */
const SEEDS = [6, 8]

describe('a house with its service and its gateway, and everything that can go wrong, from one seed', {
  timeout: 300_000,
}, () => {
  test('what is promised holds, and a seed gives the same trace in another process', async () => {
    const [reports, again] = await Promise.all([
      simulateAll({ seeds: SEEDS }, { jobs: 1 }),
      simulateAll({ seeds: SEEDS.slice(1, 2) }, { jobs: 1 }),
    ])
    expect(reports.flatMap(({ violations }) => violations)).toEqual([])
    for (const { faults, confirmed, requests, looks } of reports)
      expect(Math.min(faults, confirmed, requests, looks)).toBeGreaterThan(0)
    expect(reports[1]?.trace).toMatch(/^[0-9a-f]{16}$/)
    expect(again[0]?.trace).toBe(reports[1]?.trace)
    expect(reports[0]?.trace).not.toBe(reports[1]?.trace)
  })

  test('a mistake that is put in is found', async () => {
    const [report] = await simulateAll({
      seeds: SEEDS.slice(0, 1),
      defect: 'PUBACK before the commit',
      stopAtFirst: true,
    })
    expect(report?.violations[0]?.law).toBe('acknowledged is stored exactly once')
  })
})
