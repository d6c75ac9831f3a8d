import type { ContactReading } from '@hypocaust/domain'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { reportOf } from '../contacts/contacts.ts'
import { type Raised, raiseLive } from '../revisions.ts'

interface MessageKey {
  gatewayId: string
  boot: string
  n: number
  receivedAt: number
}

interface NewSensor {
  id: string
  address: string
  buildingId: string
  createdAt: number
}

interface Measured {
  buildingId: string
  sensorId: string
  measuredAt: number
  temperatureC: number
  humidityPct: number | null
}

interface Latest extends Measured {
  batteryPct: number | null
  rssiDbm: number | null
  receivedAt: number
  /** A stamp after this cannot be right: it was given by a clock that has been set back since. */
  soonest: number
}

interface ReportedContact {
  buildingId: string
  contact: ContactReading
  measuredAt: number
}

/** Fails for a message that has been taken in before. */
const addMessage = statement((db, { gatewayId, boot, n, receivedAt }: MessageKey) =>
  db.insertInto('gatewayMessages').values({ gatewayId, boot, n, receivedAt }),
)

const addSensor = statement((db, { id, address, buildingId, createdAt }: NewSensor) =>
  db
    .insertInto('sensors')
    .values({ id, address, buildingId, createdAt })
    .onConflict((conflict) => conflict.columns(['buildingId', 'address']).doNothing()),
)

const addReading = statement((db, { buildingId, sensorId, measuredAt, temperatureC, humidityPct }: Measured) =>
  db
    .insertInto('readings')
    .values({ buildingId, sensorId, measuredAt, temperatureC, humidityPct })
    .onConflict((conflict) => conflict.columns(['sensorId', 'measuredAt']).doNothing()),
)

/** A reading older than the one that stands changes nothing, unless that one is stamped in the future. */
const setLatest = statement((db, latest: Latest) => {
  const { buildingId, sensorId, measuredAt, temperatureC, humidityPct, batteryPct, rssiDbm, receivedAt, soonest } =
    latest
  return db
    .updateTable('sensors')
    .set({ measuredAt, temperatureC, humidityPct, batteryPct, rssiDbm, receivedAt })
    .where('id', '=', sensorId)
    .where('buildingId', '=', buildingId)
    .where((eb) =>
      eb.or([eb('measuredAt', 'is', null), eb('measuredAt', '<=', measuredAt), eb('measuredAt', '>', soonest)]),
    )
})

const countSensors = statement((db, { buildingId }: { buildingId: string }) =>
  db
    .selectFrom('sensors')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('buildingId', '=', buildingId),
)

export type IntakeStatements = ReturnType<typeof intakeStatements>

/** What taking in a message writes. */
export const intakeStatements = (store: Store) => ({
  addMessage: (message: MessageKey) => addMessage.with(store, message),
  addSensor: (sensor: NewSensor) => addSensor.with(store, sensor),
  countSensors: (of: { buildingId: string }) => countSensors.with(store, of),
  addReading: (measured: Measured) => addReading.with(store, measured),
  setLatest: (latest: Latest) => setLatest.with(store, latest),
  /** In the transaction of readings that are shown from now on. */
  raiseLive: (raised: Raised) => raiseLive.with(store, raised),
  reportContact: ({ buildingId, contact, measuredAt }: ReportedContact) =>
    reportOf(store, buildingId, contact, measuredAt),
})
