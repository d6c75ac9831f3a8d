import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createLogger } from '../../service/src/base/logger.ts'
import { AlertNotifier } from '../../service/src/people/alerts/alert-notifier.ts'
import { alertsOf } from '../../service/src/people/alerts/alerts.ts'
import { choose } from '../../service/src/people/alerts/choices.ts'
import { checkBuildings } from '../../service/src/people/alerts/watch.ts'
import { PushSender } from '../../service/src/people/notify/push/sender.ts'
import type { Store } from '../../service/src/store/store.ts'
import { WEBSITE } from './browser.ts'
import { MINUTE_MS } from './clock.ts'
import type { Engine } from './database.ts'
import { BATHROOM_SENSOR, LIVING_ROOM_SENSOR } from './houses.ts'
import { MailServer } from './mail-server.ts'
import { PushService } from './push-service.ts'
import { openWorld, type World } from './world.ts'

/** In minutes, as `pass` takes them. */
export const HOUR = 60
export const SILENT_AFTER_S = 300
const CONTACT = 'mailto:a@b.example'

/** A world with a mail server and a push service, for the suite it is called in; each test begins without alerts. */
export function alertStage(engine: Engine) {
  const mail = new MailServer()
  const push = new PushService()
  let world: World
  let notifier: AlertNotifier

  beforeAll(async () => {
    await Promise.all([mail.start(), push.start()])
    world = await openWorld(engine, { website: { ...WEBSITE, push: { network: push.network, contact: CONTACT } } })
  })

  afterAll(async () => {
    await world.close()
    await Promise.all([mail.stop(), push.stop()])
  })

  beforeEach(async () => {
    const { db } = world.store
    for (const table of ['alerts', 'decisions', 'valveWindows', 'pushDevices'] as const)
      await db.deleteFrom(table).execute()
    await db.updateTable('gateways').set({ commandSeq: 0, ackedSeq: null }).execute()
    mail.received.length = 0
    push.received.length = 0
    mail.isBusy = false
    push.status = 201
    notifier = notifierOn(world.store)
    await choose(world.store, world.holder.accountId, { mail: true, language: 'en', muted: [] })
    await speak()
  })

  const notifierOn = (store: Store) =>
    new AlertNotifier({
      store,
      clock: world.clock,
      logger: createLogger('silent'),
      mailer: mail.mailer(),
      push: new PushSender({ store, network: push.network, contact: CONTACT }),
    })

  /** Gateways and sensors report. */
  async function speak(sensors = [BATHROOM_SENSOR, LIVING_ROOM_SENSOR]): Promise<void> {
    for (const gatewayId of world.holder.gatewayIds) await world.heartbeat(gatewayId)
    for (const sensorId of sensors) await world.report(sensorId, { temperatureC: 20.5, batteryPct: 80 })
  }

  const lookNow = (store = world.store) =>
    checkBuildings(store, [world.holder.buildingId], { nowMs: world.clock.now(), silentAfterS: SILENT_AFTER_S })

  const tellAll = async () => {
    while (await notifier.notifySome());
  }

  /** Time passes in steps; `meanwhile` runs before each look. */
  async function pass(minutes: number, meanwhile: () => Promise<void> = async () => {}, step = 5): Promise<void> {
    for (let minute = 0; minute < minutes; minute += step) {
      world.clock.advance(step * MINUTE_MS)
      await meanwhile()
      await lookNow()
      await tellAll()
    }
  }

  const subjects = () => mail.received.map(({ subject }) => subject)
  const shown = async () =>
    (await alertsOf(world.store, world.holder, { silentAfterS: SILENT_AFTER_S }, world.clock.now())).map(
      ({ kind, room }) => (room === null ? kind : `${kind} ${room}`),
    )

  return {
    mail,
    push,
    get world() {
      return world
    },
    get notifier() {
      return notifier
    },
    /** Another process sends from now on. */
    restart() {
      notifier = notifierOn(world.store)
    },
    notifierOn,
    speak,
    lookNow,
    tellAll,
    pass,
    subjects,
    shown,
  }
}
