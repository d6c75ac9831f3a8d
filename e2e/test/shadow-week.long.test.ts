import { DAY_MS, HOUR_MS, MINUTE_MS, type PowerCommand } from '@hypocaust/domain'
import { Hysteresis, VirtualHouse } from '@hypocaust/simulator'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR, LAKESIDE } from '@hypocaust/testing/houses.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import type { TestGateway } from '@hypocaust/testing/test-gateway.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMetrics } from '../../service/src/base/metrics.ts'
import { Fitting } from '../../service/src/house/heating/fitting.ts'
import type { Heating } from '../../service/src/house/heating/heating.ts'
import { Replays } from '../../service/src/house/replays/replays.ts'
import { shadowReport } from '../../service/src/house/replays/shadow-report.ts'
import { changeWatching } from '../../service/src/house/rooms/manage.ts'
import { placeKey } from '../../service/src/house/weather/weather.ts'

const CHANNEL = 1
const DAYS = 8
const STEP_MIN = 15
const WATCHED = { fromHour: 5, toHour: 21, dayC: 20, nightC: 18 }

let world: MqttWorld
let gateway: TestGateway
let heating: Heating
let house: VirtualHouse
const replays = new Replays(HOUR_MS)
/** A thermostat that begins to heat when its night is over. */
const thermostat = new Hysteresis((atMs) => {
  const hour = (atMs / HOUR_MS) % 24
  return hour >= WATCHED.fromHour && hour < WATCHED.toHour ? WATCHED.dayC : WATCHED.nightC
})

beforeAll(async () => {
  world = await openMqttWorld()
  gateway = await world.gateway()
  heating = heatingOf(world.world)
  const room = { name: 'Bathroom', channel: CHANNEL, sensorId: BATHROOM_SENSOR, floorType: 'screed' as const }
  const place = { latDeg: LAKESIDE.location.lat, lngDeg: LAKESIDE.location.lng }
  const climate = { seed: 4, place, meanC: 6.5, seasonSwingK: 10.5, clearness: 0 }
  const startMs = world.clock.now()
  house = new VirtualHouse({
    seed: 4,
    climate,
    startMs,
    startC: 20,
    rooms: [{ ...room, facadeDeg: 180, neighbours: [] }],
  })
  const forecast = JSON.stringify({ startMs, hourly: house.forecast(24 * (DAYS + 3)) })
  const weather = { updatedAt: startMs, dueAt: startMs + 30 * DAY_MS, lastModified: null, forecast }
  await world.store.db
    .insertInto('forecasts')
    .values({ place: placeKey(LAKESIDE.location), ...weather })
    .execute()
})
afterAll(async () => {
  await heating.settled()
  await replays.stop()
  await world.close()
})

const buildingId = () => world.world.holder.buildingId
const roomId = () => world.world.bathroomId
const night = { from: '22:00', to: '06:00', setback: 2 }

/** A quarter of an hour: the other thermostat works the valve, the gateway reports, and the service decides. */
async function live(isOursNow: (open: number) => number): Promise<void> {
  const startedAt = world.clock.now()
  let openS = 0
  let latest: { temperatureC: number; measuredAt: number } | undefined
  for (let minute = 0; minute < STEP_MIN; minute++) {
    const open = isOursNow(thermostat.isOn ? 1 : 0)
    openS += 60 * open
    for (const reading of house.advance(60, new Map([[CHANNEL, open]])).readings) {
      thermostat.measure(reading.temperature, reading.atMs)
      latest = { temperatureC: reading.temperature, measuredAt: reading.atMs }
    }
  }
  if (latest) await world.world.report(BATHROOM_SENSOR, latest)
  world.clock.advance(STEP_MIN * MINUTE_MS)
  await world.store.db
    .insertInto('valveWindows')
    .values({
      gatewayId: gateway.id,
      channel: CHANNEL,
      startedAt,
      windowS: STEP_MIN * 60,
      openS,
      source: 'watched',
    })
    .execute()
  await world.world.gatewaysReport()
  await heating.control(buildingId())
  await world.mqtt.commander.update(buildingId())
}

const powersOf = (commands: PowerCommand[]) =>
  commands.flatMap(({ valves }) => valves.filter(({ channel }) => channel === CHANNEL).map(({ power }) => power))

test('a week beside another thermostat: no power is ever sent, the report, the take-over, then commands', async () => {
  await world.store.db.updateTable('rooms').set({ targetC: 20, areaM2: 12 }).where('id', '=', roomId()).execute()
  await world.store.db
    .updateTable('rooms')
    .set({ nightMode: JSON.stringify(night) })
    .where('id', '=', roomId())
    .execute()
  await changeWatching(world.store, world.clock, { id: roomId() }, true)
  await world.mqtt.commander.update(buildingId())
  await gateway.hear('config', ({ watched }) => watched?.includes(CHANNEL) ?? false)
  gateway.forget()

  const { store, clock } = world
  const fitting = new Fitting({ store, clock, metrics: createMetrics(), heating, afterFit: async () => {} })
  for (let step = 0; step < (DAYS * DAY_MS) / (STEP_MIN * MINUTE_MS); step++) {
    await live((open) => open)
    if (step % 96 === 95) while (await fitting.fitNext());
  }
  await fitting.stop()
  await gateway.hear('power')
  const powers = powersOf(gateway.heard('power'))
  expect(powers.length).toBeGreaterThan(DAYS * 24)
  expect(Math.max(...powers)).toBe(0)
  expect(gateway.heard('config').every(({ watched }) => watched?.includes(CHANNEL))).toBe(true)

  const scope = { buildingId: buildingId(), roomId: roomId() }
  const parts = { store: world.store, availability: { silentAfterS: 300 }, replays }
  const report = await shadowReport(parts, scope, world.clock.now())
  console.log(JSON.stringify(report))
  expect(report).toMatchObject({ state: 'ready', days: 7 })
  expect(report?.other?.heat_kwh).toBeGreaterThan(0)
  expect(report?.kelvin_hours?.value).toBeLessThan(0)

  gateway.forget()
  await changeWatching(world.store, world.clock, { id: roomId() }, false)
  await world.world.patch({ target_temperature: 24 })
  await live(() => 0)
  await gateway.hear('config', ({ watched }) => watched === undefined)
  const command = await gateway.hear('power', (each) => powersOf([each]).some((power) => power > 0))
  expect(powersOf([command])[0]).toBeGreaterThan(0)
}, 240_000)
