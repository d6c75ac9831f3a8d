import { DAY_MS, MINUTE_MS } from '@hypocaust/domain/facts'
import { BATHROOM_SENSOR, LIVING_ROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import type { World } from '@hypocaust/testing/world.ts'

/** A year of a house as the service keeps it: every reading of two weeks, means of three months, hours before, decisions. */
export async function liveAYear(world: World): Promise<void> {
  const now = Math.floor(world.clock.now() / DAY_MS) * DAY_MS
  const { buildingId, roomIds } = world.holder
  // Quarters of a degree: their sums are exact, in whatever order an engine adds them up.
  const wave = '(18 + (t / 60000 % 37) * 0.25)'
  const times = (fromDays: number, toDays: number, stepMs: number) =>
    `with recursive times(t) as (select ${now - fromDays * DAY_MS}
      union all select t + ${stepMs} from times where t + ${stepMs} < ${now - toDays * DAY_MS})`
  const sensors = `(select id from sensors where address in ('${BATHROOM_SENSOR}', '${LIVING_ROOM_SENSOR}')) as heard`
  const rolledUp = (table: string, fromDays: number, toDays: number, stepMs: number) => `
    insert into ${table} ${times(fromDays, toDays, stepMs)}
    select id, t, 4, ${wave}, ${wave} - 1, ${wave} + 0.5, t / 300000 % 3, case when t / 300000 % 3 > 0 then 40.5 end
    from times, ${sensors}`
  const statements = [
    `insert into readings ${times(14, 0, 5 * MINUTE_MS)}
      select '${buildingId}', id, t, ${wave}, case when t % 600000 = 0 then 45.25 end from times, ${sensors}`,
    rolledUp('readings_five_minute', 92, 14, 5 * MINUTE_MS),
    rolledUp('readings_hourly', 366, 92, 60 * MINUTE_MS),
    ...roomIds.map(
      (roomId) => `insert into decisions ${times(365, 0, 60 * MINUTE_MS)}
        select '${roomId}', t, t / 3600000 % 4 * 0.25, 20.5, '{"outdoorC":' || (t / 3600000 % 20 - 10) || '}' from times`,
    ),
    `update sensors set temperature_c = 20.1, humidity_pct = 45.25, measured_at = ${world.clock.now() - MINUTE_MS}`,
    `update gateways set last_seen_at = ${world.clock.now() - MINUTE_MS}`,
    `insert into weather select id, ${now}, -3.25, 75, 225, 3.2 from buildings`,
  ]
  const connection = await world.test.connect()
  for (const statement of statements) await connection.execute(statement)
  await connection.end()
}
