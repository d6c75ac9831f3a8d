import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOUR_MS } from '@hypocaust/domain'
import {
  type Clock,
  openStore,
  PAIRING_VALID_S,
  type RunningService,
  rotateToken,
  type Settings,
  type Store,
  startService,
} from '@hypocaust/service'
import { VirtualGateway, VirtualHouse } from '@hypocaust/simulator'
import { stopOnSignal } from '../stop-on-signal.ts'
import { demoClock } from './clock.ts'
import { housePlan } from './house.ts'
import { openHouseSocket } from './house-socket.ts'
import { mqttUrlOf } from './mqtt-url.ts'
import { virtualWeather } from './weather.ts'

const SETTLED_MS = 6 * HOUR_MS
/** A house that nobody has heated yet. */
const START_C = 18
const LOOK_EVERY_MS = 1000
/** As long as a person needs to type a code. */
const TYPED_AFTER_MS = 5000

interface Identity {
  id: string
  token: string
}

/**
 * The service with nothing in it, and a virtual house whose gateway waits to be paired: a few seconds after the website
 * has shown a pairing code, the gateway is as if a person had typed the code into it.
 */
export async function runEmptyDemo(settings: Settings, speed: number): Promise<void> {
  const startMs = Date.now()
  const house = new VirtualHouse({ ...housePlan(startMs - SETTLED_MS), startC: START_C })
  house.advance(SETTLED_MS / 1000, new Map())
  // Simulating took its time.
  const clock = demoClock(Date.now(), speed)
  const service = await startService(settings, { clock, weather: virtualWeather(house) })
  const store = await openStore(settings.data, settings.database_url)
  const identityFile = join(settings.data, 'demo-gateway.json')
  let gateway: VirtualGateway | null = null
  const connect = async (identity: Identity) => {
    await gateway?.stop()
    gateway = new VirtualGateway({
      url: mqttUrlOf(settings, service),
      gatewayId: identity.id,
      token: identity.token,
      ...(service.authority && { ca: service.authority.cert }),
      house,
      clock,
      boot: randomBytes(4).toString('hex'),
    })
    await gateway.start()
  }
  if (existsSync(identityFile)) await connect(JSON.parse(readFileSync(identityFile, 'utf8')) as Identity)
  const look = setInterval(async () => {
    const paired = await pair(store, clock)
    if (!paired) return
    writeFileSync(identityFile, `${JSON.stringify(paired)}\n`, { mode: 0o600 })
    await connect(paired)
  }, LOOK_EVERY_MS)
  const socket = openHouseSocket(settings.data, house)
  stopOnSignal(async () => {
    clearInterval(look)
    await socket.stop()
    await gateway?.stop()
    await store.close()
    await service.stop()
  })
  console.log(greeting(service, house))
}

/** Takes the code that was shown last, once a person would have typed it. */
async function pair(store: Store, clock: Clock): Promise<Identity | undefined> {
  const nowMs = clock.now()
  const shown = await store.db
    .selectFrom('pairingCodes')
    .select(['gatewayId', 'codeHash'])
    .where('expiresAt', '>', nowMs)
    .where('expiresAt', '<=', nowMs + PAIRING_VALID_S * 1000 - TYPED_AFTER_MS)
    .executeTakeFirst()
  if (!shown) return undefined
  await store.db.deleteFrom('pairingCodes').where('codeHash', '=', shown.codeHash).execute()
  const token = await rotateToken(store, clock, shown.gatewayId)
  return token === undefined ? undefined : { id: shown.gatewayId, token }
}

const greeting = ({ url }: RunningService, { plan }: VirtualHouse) => `
Hypocaust demo without a building, listening on ${url}

  Website        ${url}

Create an account, add a building and a gateway. The gateway of the virtual house pairs itself when a
pairing code is shown. There is a sensor in each room, and loop 1 warms the first of them, and so on:
${plan.rooms.map(({ name }) => name).join(', ')}.
To breathe on the sensor of a room, type in another terminal:

  hypocaust house breathe Bathroom
`
