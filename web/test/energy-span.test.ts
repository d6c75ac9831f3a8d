import { expect, test } from 'vitest'
import { daysOf } from '../src/building/energy-span.ts'

test.each([
  ['day', '2026-01-10', '2026-01-10', '2026-01-10'],
  ['month', '2026-01-10', '2026-01-01', '2026-01-10'],
  ['last_month', '2026-01-10', '2025-12-01', '2025-12-31'],
  ['last_month', '2024-03-31', '2024-02-01', '2024-02-29'],
  ['season', '2026-01-10', '2025-09-01', '2026-01-10'],
  ['season', '2026-09-01', '2026-09-01', '2026-09-01'],
] as const)('%s on %s is from %s to %s', (span, today, from, to) => {
  expect(daysOf(span, today)).toEqual({ from, to })
})
