import { ContactReading, GatewayReading, matches, normaliseSensorId, type ReadingsEnvelope } from '@hypocaust/domain'
import type { Compilable } from 'kysely'
import { AHEAD_MS } from '../../base/clock.ts'
import type { Limit } from '../../store/batch.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { newSensorId } from '../sensors.ts'
import { measuredAt, type Stamping } from './stamp.ts'
import type { IntakeStatements } from './statements.ts'

export interface ReadingsMessage extends Stamping {
  gatewayId: string
  buildingId: string
  envelope: ReadingsEnvelope
}

type DropReason = 'malformed' | 'implausible_time' | 'too_many_sensors'

export interface Intake {
  queries: Compilable[]
  /** Another process may have added sensors since they were counted; then the message comes once more, and is judged anew. */
  limits: Limit[]
  accepted: number
  dropped: DropReason[]
}

/** The sensors that the buildings of a batch know, and how many more each may have. */
export interface KnownSensors {
  /** How many each may have in all. */
  most: number
  idOf(buildingId: string, address: string): string | undefined
  /** An id for a new sensor, or undefined when the building has as many as it may have. */
  add(buildingId: string, address: string): string | undefined
}

/**
 * A message as writes that stand or fall together. The first one makes it count once: a message that has been
 * taken in before violates its key, and nothing of it is written again.
 */
export function intakeOf(statements: IntakeStatements, message: ReadingsMessage, sensors: KnownSensors): Intake {
  const { gatewayId, buildingId, envelope, receivedAt } = message
  const { boot, n } = envelope
  const dropped: DropReason[] = []
  const queries: Compilable[] = [statements.addMessage({ gatewayId, boot, n, receivedAt })]
  const steers = envelope.backfill !== true
  if (steers) queries.push(statements.raiseLive({ buildingId, nowMs: receivedAt }))
  let accepted = 0
  let hasNew = false
  for (const raw of envelope.readings ?? []) {
    if (matches(ContactReading, raw)) {
      const at = measuredAt(raw.timestamp, message)
      if (at === undefined) dropped.push('implausible_time')
      else {
        accepted++
        if (steers) queries.push(statements.reportContact({ buildingId, contact: raw, measuredAt: at }))
      }
      continue
    }
    const judged = judge(raw, message, sensors)
    if ('dropped' in judged) {
      dropped.push(judged.dropped)
      continue
    }
    accepted++
    hasNew ||= judged.isNew
    queries.push(...writesOf(statements, buildingId, judged, { receivedAt, steers }))
  }
  const count = statements.countSensors({ buildingId })
  const limits = hasNew ? [{ ownerId: buildingId, count, most: sensors.most, name: 'too_many_sensors' }] : []
  return { queries, limits, accepted, dropped }
}

const sensorsOf = statement((db, { buildingIds }: { buildingIds: unknown }, { isIn }) =>
  db.selectFrom('sensors').select(['id', 'buildingId', 'address']).where(isIn('building_id', buildingIds)),
)

/** Looked up for a whole batch at once; a building has few sensors that report nothing. */
export async function knownSensors(
  store: Store,
  heardBy: ReadonlySet<string>,
  mostPerBuilding: number,
): Promise<KnownSensors> {
  const known = new Map<string, Map<string, string>>()
  const rows = heardBy.size > 0 ? await sensorsOf.all(store, { buildingIds: store.statements.list(heardBy) }) : []
  const idsOf = (buildingId: string): Map<string, string> => {
    const ids = known.get(buildingId) ?? new Map<string, string>()
    if (ids.size === 0) known.set(buildingId, ids)
    return ids
  }
  for (const { id, buildingId, address } of rows) idsOf(buildingId).set(address, id)
  return {
    most: mostPerBuilding,
    idOf: (buildingId, address) => known.get(buildingId)?.get(address),
    add(buildingId, address) {
      const ids = idsOf(buildingId)
      if (ids.size >= mostPerBuilding) return undefined
      const id = newSensorId(buildingId, address)
      ids.set(address, id)
      return id
    },
  }
}

interface Judged {
  id: string
  isNew: boolean
  address: string
  measuredAt: number
  reading: GatewayReading
}

function judge(raw: unknown, message: ReadingsMessage, sensors: KnownSensors): Judged | { dropped: DropReason } {
  if (!matches(GatewayReading, raw)) return { dropped: 'malformed' }
  const at = measuredAt(raw.timestamp, message)
  if (at === undefined) return { dropped: 'implausible_time' }
  const address = normaliseSensorId(raw.id)
  const known = sensors.idOf(message.buildingId, address)
  const id = known ?? sensors.add(message.buildingId, address)
  if (id === undefined) return { dropped: 'too_many_sensors' }
  return { id, isNew: known === undefined, address, measuredAt: at, reading: raw }
}

function writesOf(
  statements: IntakeStatements,
  buildingId: string,
  { id, isNew, address, measuredAt, reading }: Judged,
  { receivedAt, steers }: { receivedAt: number; steers: boolean },
): Compilable[] {
  const measured = {
    buildingId,
    sensorId: id,
    measuredAt,
    temperatureC: reading.temperature,
    humidityPct: reading.humidity ?? null,
  }
  const battery = { batteryPct: reading.batt ?? null, rssiDbm: reading.rssi ?? null }
  return [
    ...(isNew ? [statements.addSensor({ id, address, buildingId, createdAt: receivedAt })] : []),
    statements.addReading(measured),
    ...(steers ? [statements.setLatest({ ...measured, ...battery, receivedAt, soonest: receivedAt + AHEAD_MS })] : []),
  ]
}
