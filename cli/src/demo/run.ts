import { randomBytes } from 'node:crypto'
import { DAY_MS } from '@hypocaust/domain'
import { lockFolder, openStore, type RunningService, type Settings, type Store, startService } from '@hypocaust/service'
import { VirtualGateway, VirtualHouse } from '@hypocaust/simulator'
import { stopOnSignal } from '../stop-on-signal.ts'
import { demoClock } from './clock.ts'
import { BadDay } from './faults/bad-day.ts'
import type { FaultKind } from './faults/kinds.ts'
import { housePlan } from './house.ts'
import { openHouseSocket } from './house-socket.ts'
import { mqttUrlOf } from './mqtt-url.ts'
import { OTHER_ROOM, otherThermostat, watchedChannels, watchedFrom } from './other-thermostat.ts'
import { lastKnownMs, recordDays } from './record.ts'
import { type DemoSecrets, furnish } from './secrets.ts'
import { HISTORY_DAYS, liveUntil, WATCHED_DAYS } from './warm-up.ts'
import { virtualWeather } from './weather.ts'

/** What a virtual house needs to forget the state it began in. */
const SETTLING_DAYS = 2

interface DemoChoice {
  /** How many times faster than the real one its clock runs. */
  speed: number
  kinds: FaultKind[] | null
  /** Of the faults. */
  seed: number
  /** A new house begins with a room that another thermostat heats. */
  hasShadow: boolean
}

/** The service with a virtual house behind it. */
export async function runDemo(settings: Settings, choice: DemoChoice): Promise<void> {
  const { speed, kinds, seed, hasShadow } = choice
  const { secrets, house, startMs, thermostat } = await prepare(settings, hasShadow)
  // Simulating took its time, and the last days may have ended in the future of a fast demo.
  const clock = demoClock(Math.max(Date.now(), startMs), speed)
  const around = { clock, house, silentAfterS: settings.silent_after_s, tell: tellFault }
  const badDay = kinds && new BadDay({ kinds, seed, ...around })
  const faults = badDay && { faults: badDay.plan }
  const service = await startService(settings, { clock, weather: virtualWeather(house), ...faults })
  const gateway = new VirtualGateway({
    url: mqttUrlOf(settings, service),
    gatewayId: secrets.gateway.id,
    token: secrets.gateway.token,
    ...(service.authority && { ca: service.authority.cert }),
    house,
    clock,
    boot: randomBytes(4).toString('hex'),
    thermostats: new Map([[thermostat.channel, thermostat.itself]]),
  })
  await gateway.start()
  badDay?.start(gateway)
  const socket = openHouseSocket(settings.data, house)
  stopOnSignal(() => inTurn([badDay, socket, gateway, service]))
  console.log(greeting(service, secrets))
  if (kinds) console.log(badDayGreeting(kinds, seed))
}

const tellFault = (line: string) => console.error(`${new Date().toISOString().slice(11, 19)} fault ${line}`)

/** Nothing is written into the data of a service that runs. */
async function prepare({ data, database_url }: Settings, hasShadow: boolean) {
  const store = await openStore(data, database_url)
  let lock: ReturnType<typeof lockFolder> | undefined
  try {
    if (!store.isShared) lock = lockFolder(data)
    const secrets = await furnish(store, data, hasShadow)
    return { secrets, ...(await catchUp(store, secrets.buildingId)) }
  } finally {
    await lock?.stop()
    await store.close()
  }
}

/** Lets the virtual house live its last two weeks, so that there is history to see, and a law that knows its rooms. */
async function catchUp(store: Store, buildingId: string) {
  const sinceMs = await lastKnownMs(store, buildingId)
  const startMs = Math.max(Date.now(), sinceMs + 1000)
  const knownDays = sinceMs === 0 ? 0 : HISTORY_DAYS - SETTLING_DAYS
  const pauseDays = Math.min(knownDays, (startMs - sinceMs) / DAY_MS)
  const house = new VirtualHouse(housePlan(startMs - (HISTORY_DAYS - knownDays + pauseDays) * DAY_MS))
  console.error('Simulating the last days of the virtual house; this takes some seconds.')
  const channel = house.plan.rooms.find(({ name }) => name === OTHER_ROOM)?.channel ?? 0
  const thermostat = { channel, itself: otherThermostat() }
  const isWatched = (await watchedChannels(store, buildingId)).has(channel)
  const days = liveUntil(house, startMs, showProgress, isWatched ? thermostat : null)
  if (process.stderr.isTTY) process.stderr.write('\n')
  await recordDays(store, buildingId, days, sinceMs)
  if (isWatched && sinceMs === 0) await watchedFrom(store, buildingId, startMs - WATCHED_DAYS * DAY_MS)
  return { house, startMs, thermostat }
}

function showProgress(day: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${day} of its days are over `)
}

async function inTurn(parts: ({ stop(): Promise<void> } | null)[]): Promise<void> {
  for (const part of parts) await part?.stop()
}

const greeting = (
  { url, authority }: RunningService,
  { email, password, buildingId, readKey, writeKey }: DemoSecrets,
) => `
Hypocaust demo, listening on ${url}

  Website        ${url}
  API reference  ${url}/docs/
  Account        ${email}   password  ${password}
  Read key       ${readKey}
  Write key      ${writeKey}

Try it:

  curl -s ${authority ? `--cacert ${authority.file} ` : ''}-H 'x-api-key: ${readKey}' ${url}/v1/buildings/${buildingId}/rooms
`

const badDayGreeting = (kinds: string[], seed: number) => `Injecting faults: ${kinds.join(', ')} (seed ${seed}).
Every response of /v1 that it affects names the fault in x-hypocaust-fault; each fault is printed here.
`
