import type { ContactReading } from '@hypocaust/domain'
import type { Kysely } from 'kysely'
import { compiledOnce } from '../../store/compiled-once.ts'
import type { Tables } from '../../store/tables.ts'
import { reportOf } from '../contacts/contacts.ts'

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

export type IntakeStatements = ReturnType<typeof intakeStatements>

/** What taking in a message writes. */
export const intakeStatements = (db: Kysely<Tables>) => ({
  /** Fails for a message that has been taken in before. */
  addMessage: compiledOnce<MessageKey>(['gatewayId', 'boot', 'n', 'receivedAt'], (message) =>
    db.insertInto('gatewayMessages').values(message),
  ),

  reportContact: ({ buildingId, contact, measuredAt }: ReportedContact) =>
    reportOf({ db }, buildingId, contact, measuredAt),

  addSensor: compiledOnce<NewSensor>(['id', 'address', 'buildingId', 'createdAt'], (sensor) =>
    db
      .insertInto('sensors')
      .values(sensor)
      .onConflict((conflict) => conflict.columns(['buildingId', 'address']).doNothing()),
  ),

  countSensors: compiledOnce<{ buildingId: string }>(['buildingId'], ({ buildingId }) =>
    db
      .selectFrom('sensors')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('buildingId', '=', buildingId),
  ),

  addReading: compiledOnce<Measured>(
    ['buildingId', 'sensorId', 'measuredAt', 'temperatureC', 'humidityPct'],
    (measured) =>
      db
        .insertInto('readings')
        .values(measured)
        .onConflict((conflict) => conflict.columns(['sensorId', 'measuredAt']).doNothing()),
  ),

  /** A reading older than the one that stands changes nothing, unless that one is stamped in the future. */
  setLatest: compiledOnce<Latest>(
    [
      'buildingId',
      'sensorId',
      'measuredAt',
      'temperatureC',
      'humidityPct',
      'batteryPct',
      'rssiDbm',
      'receivedAt',
      'soonest',
    ],
    ({ buildingId, sensorId, soonest, ...latest }) =>
      db
        .updateTable('sensors')
        .set(latest)
        .where('id', '=', sensorId)
        .where('buildingId', '=', buildingId)
        .where((eb) =>
          eb.or([
            eb('measuredAt', 'is', null),
            eb('measuredAt', '<=', latest.measuredAt),
            eb('measuredAt', '>', soonest),
          ]),
        ),
  ),
})
