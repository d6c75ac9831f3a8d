// How many promises the demo's house keeps: npm run test:promises [-- DAYS]

import { DAY_MS } from '@hypocaust/domain'
import { isKept } from '@hypocaust/service'
import { VirtualHouse } from '@hypocaust/simulator'
import { housePlan } from '../../cli/src/demo/house.ts'
import { liveUntil } from '../../cli/src/demo/warm-up.ts'

/** The law begins with a room that it does not know. */
const MOVED_IN_DAYS = 1
const days = Number(process.argv[2] ?? 14)
const untilMs = Date.UTC(2026, 10, 18, 14)
const house = new VirtualHouse(housePlan(untilMs - (days + MOVED_IN_DAYS) * DAY_MS))
const { rooms } = liveUntil(house, untilMs, () => undefined, null, days)
let [made, kept] = [0, 0]
for (const { channel, promises } of rooms) {
  const due = promises.flatMap(({ measuredC, ...promise }) => (measuredC === null ? [] : [{ ...promise, measuredC }]))
  if (due.length === 0) continue
  const held = due.filter(({ expectedC, measuredC }) => isKept(expectedC, measuredC))
  const missedK = due.map(({ expectedC, measuredC }) => (measuredC - expectedC).toFixed(1)).join(' ')
  const name = house.plan.rooms.find((room) => room.channel === channel)?.name
  console.log(`${name}: ${held.length} of ${due.length} kept; warmer than promised by ${missedK} K`)
  made += due.length
  kept += held.length
}
console.log(`${kept} of ${made} promises kept in ${days} days: ${((100 * kept) / Math.max(1, made)).toFixed(0)} %`)
