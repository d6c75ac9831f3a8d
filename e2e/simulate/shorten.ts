import { planOf } from './plan.ts'
import type { SeedReport } from './run.ts'

/** Drops events one by one, as long as the same law is still violated. Returns what is left out in the end. */
export async function shortened(
  seed: number,
  failed: Pick<SeedReport, 'violations'>,
  without: ReadonlySet<number>,
  run: (without: ReadonlySet<number>) => Promise<Pick<SeedReport, 'violations'>>,
): Promise<ReadonlySet<number>> {
  const law = failed.violations[0]?.law
  let left = new Set(without)
  for (let i = planOf(seed).events.length - 1; i >= 0; i--) {
    if (left.has(i)) continue
    const fewer = new Set([...left, i])
    const { violations } = await run(fewer)
    if (violations.some((violation) => violation.law === law)) left = fewer
  }
  return left
}
