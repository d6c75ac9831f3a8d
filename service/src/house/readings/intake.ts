import { ContactReading, GatewayReading, matches, normaliseSensorId, type ReadingsEnvelope } from '@hypocaust/domain'
import type { Compilable } from 'kysely'
import { inChunks } from '../../store/chunks.ts'
import type { Store } from '../../store/store.ts'
import { measuredAt, type Stamping } from './stamp.ts'
import type { IntakeStatements } from './statements.ts'

export interface ReadingsMessage extends Stamping {
  gatewayId: string
  buildingId: string
  envelope: ReadingsEnvelope
}

export type DropReason = 'malformed' | 'implausible_time' | 'other_building'

export interface Intake {
  queries: Compilable[]
  accepted: number
  dropped: DropReason[]
}

/** Which building each sensor belongs to, of those already known. */
export type SensorHomes = Map<string, string>

/**
 * A message as writes that stand or fall together. The first one makes it count once: a message that has been
 * taken in before violates its key, and nothing of it is written again.
 */
export function intakeOf(statements: IntakeStatements, message: ReadingsMessage, homes: SensorHomes): Intake {
  const { gatewayId, buildingId, envelope, receivedAt } = message
  const { boot, n } = envelope
  const dropped: DropReason[] = []
  const queries: Compilable[] = [statements.addMessage({ gatewayId, boot, n, receivedAt })]
  let accepted = 0
  for (const raw of envelope.readings ?? []) {
    if (matches(ContactReading, raw)) {
      const at = measuredAt(raw.timestamp, message)
      if (at === undefined) dropped.push('implausible_time')
      else {
        accepted++
        if (envelope.backfill !== true)
          queries.push(statements.reportContact({ buildingId, contact: raw, measuredAt: at }))
      }
      continue
    }
    const judged = judge(raw, message, homes)
    if ('dropped' in judged) {
      dropped.push(judged.dropped)
      continue
    }
    accepted++
    queries.push(...writesOf(statements, buildingId, judged, { receivedAt, steers: envelope.backfill !== true, homes }))
  }
  return { queries, accepted, dropped }
}

export const sensorIdsIn = (envelope: ReadingsEnvelope): string[] =>
  (envelope.readings ?? []).flatMap((raw) => (matches(GatewayReading, raw) ? [normaliseSensorId(raw.id)] : []))

export async function sensorHomes({ db }: Store, ids: string[]): Promise<SensorHomes> {
  const rows = await inChunks([...new Set(ids)], (chunk) =>
    db.selectFrom('sensors').select(['id', 'buildingId']).where('id', 'in', chunk).execute(),
  )
  return new Map(rows.map(({ id, buildingId }) => [id, buildingId]))
}

interface Judged {
  id: string
  measuredAt: number
  reading: GatewayReading
}

function judge(raw: unknown, message: ReadingsMessage, homes: SensorHomes): Judged | { dropped: DropReason } {
  if (!matches(GatewayReading, raw)) return { dropped: 'malformed' }
  const at = measuredAt(raw.timestamp, message)
  if (at === undefined) return { dropped: 'implausible_time' }
  const id = normaliseSensorId(raw.id)
  const home = homes.get(id)
  if (home !== undefined && home !== message.buildingId) return { dropped: 'other_building' }
  return { id, measuredAt: at, reading: raw }
}

function writesOf(
  statements: IntakeStatements,
  buildingId: string,
  { id, measuredAt, reading }: Judged,
  { receivedAt, steers, homes }: { receivedAt: number; steers: boolean; homes: SensorHomes },
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
    ...(homes.has(id) ? [] : [statements.addSensor({ id, buildingId, createdAt: receivedAt })]),
    statements.addReading(measured),
    ...(steers ? [statements.setLatest({ ...measured, ...battery })] : []),
  ]
}
