import { expect, test } from 'vitest'
import { screedHouseOf } from './screed-house.ts'

const house = screedHouseOf('sqlite')

/** Every day: hot water twice, for a quarter of an hour each. */
async function days(count: number) {
  for (let day = 0; day < count; day++)
    for (const hours of [7, 13, 3.5]) {
      await house.pass(hours)
      if (hours !== 3.5) await house.pass(0.25, () => 'hot water')
    }
}

test('a week with an outage, a restart of the service and a lost probe: everything is in the record', async () => {
  await house.start({ programme: 'functional', max: 40 })
  await days(2)
  // Without power: neither gateway nor service.
  await house.pass(8, () => 'silent', false)
  await days(1)
  // The service is updated, the gateway goes on.
  await house.pass(0.5, undefined, false)
  await days(1)
  await house.pass(5, () => 'no probe')
  await days(4)
  const record = await house.record()
  expect(record).toMatchObject({ changed_at: null, has_gap: false, is_ended: true })
  const entries = record.entries.map(({ text }: { text: string }) => JSON.parse(text))
  const of = (kind: string) => entries.filter((entry: { kind: string }) => entry.kind === kind)
  const minutesOf = ({ from, at }: { from: string; at: string }) => (Date.parse(at) - Date.parse(from)) / 60_000
  // A gap begins with the last look before it and ends with the first one after it.
  expect(of('gap').map(minutesOf)).toEqual([8 * 60 + 5, 35])
  expect(of('deviation_ended').filter(({ is_long }: { is_long: boolean }) => is_long)).toMatchObject([
    { because: 'not_measured', minutes: 300 },
  ])
  const [started] = of('started')
  const [ended] = of('ended')
  expect(ended).toMatchObject({ because: 'finished', held_hours: 168 })
  const lastedH = (Date.parse(ended.at) - Date.parse(started.at)) / 3_600_000
  expect(lastedH).toBeGreaterThan(168 + 8 + 0.5 + 5 - 0.5)
  expect(lastedH).toBeLessThan(168 + 8 + 0.5 + 5 + 1.5)
  console.log(
    `screed week: ${record.entries.length} entries in ${lastedH.toFixed(1)} h, ${of('gap').length} gaps marked, ${of('deviation').length} deviations, no unmarked gap`,
  )
})
