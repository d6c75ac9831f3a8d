// How many promises rooms of every floor keep in an irregular week: npm run test:promises:houses [-- HOUSES]

import { setpointAt } from '@hypocaust/domain'
import { FLOOR_TYPES, HOUR_MS, MINUTE_MS } from '@hypocaust/domain/facts'
import { isKept } from '@hypocaust/service'
import { BuiltInPlant } from '../../bench/src/comfort/built-in-plant.ts'
import { oursFor } from '../../bench/src/comfort/compare.ts'
import { Ours } from '../../bench/src/comfort/ours.ts'
import { run, type View } from '../../bench/src/comfort/run.ts'
import { DAY_S } from '../../bench/src/comfort/scenarios.ts'
import { createWorld } from '../../bench/src/comfort/world.ts'

const DAYS = 14
/** What is promised so long before a rise counts. */
const LEAD_MS = { least: 4 * HOUR_MS, most: 4.5 * HOUR_MS }

interface Promised {
  atMs: number
  setpointC: number
  expectedC: number
}

/** The law, and what it promised and the sensor then showed. */
class Followed extends Ours {
  readonly kept: { expectedC: number; measuredC: number }[] = []
  private readonly due = new Map<number, Promised>()

  override step(view: View): 0 | 1 {
    const open = super.step(view)
    if (!this.input) return open
    const { nowMs, settings } = this.input
    const warmUp = this.state?.block?.expected?.warmUp
    const leadMs = warmUp ? warmUp.atMs - nowMs : 0
    if (warmUp && leadMs >= LEAD_MS.least && leadMs < LEAD_MS.most && !this.due.has(warmUp.atMs))
      this.due.set(warmUp.atMs, warmUp)
    for (const [atMs, { setpointC, expectedC }] of this.due) {
      if (nowMs < atMs || view.sensorC === null) continue
      this.due.delete(atMs)
      if (nowMs < atMs + 15 * MINUTE_MS && setpointAt(settings, nowMs).setpointC === setpointC)
        this.kept.push({ expectedC, measuredC: view.sensorC })
    }
    return open
  }
}

const houses = Number(process.argv[2] ?? 3)
let [made, kept] = [0, 0]
for (let seed = 1; seed <= houses; seed++) {
  for (const floorType of FLOOR_TYPES) {
    const choice = { floorType, scenario: 'irregular-week', seed }
    const law = new Followed(oursFor(choice, true, 'hold'))
    run(new BuiltInPlant(createWorld(choice)), law, [{ name: 'all', fromS: 0, toS: DAYS * DAY_S }])
    const held = law.kept.filter(({ expectedC, measuredC }) => isKept(expectedC, measuredC))
    const warmerK = law.kept.reduce((sum, each) => sum + each.measuredC - each.expectedC, 0) / law.kept.length
    console.log(
      `${seed} ${floorType}: ${held.length} of ${law.kept.length} kept; warmer by ${warmerK.toFixed(2)} K on average`,
    )
    made += law.kept.length
    kept += held.length
  }
}
console.log(`${kept} of ${made} promises kept: ${((100 * kept) / made).toFixed(0)} %`)
