import { type AppBuilding, timestampOf } from '@hypocaust/domain'
import type { Kysely } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { csvLine } from '../../base/csv.ts'
import type { Availability } from '../../house/buildings/buildings.ts'
import { appBuildingsOf } from '../../house/buildings/manage.ts'
import { calendarsOf } from '../../house/calendars/calendars.ts'
import type { Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'
import { listKeys } from '../keys/keys.ts'
import { grantedApps } from '../oauth/granted-apps.ts'
import { webhooksOf } from '../webhooks/webhooks.ts'
import type { Account } from './accounts.ts'

/** A file whose text comes in parts: the readings of years are never in memory at once. */
interface ArchivedFile {
  name: string
  parts: AsyncIterable<string>
}

interface ArchiveParts {
  store: Store
  clock: Clock
  availability: Availability
}

const ROWS_A_PART = 2000
/** The longest address of a sensor fits, so that no two files have one name. */
const LONGEST_NAME = 50

/**
 * Everything of a person: the account, and each building that the person owns with all that was measured and decided in
 * it. Nothing in it opens anything: keys, tokens and passwords are kept as hashes, and those are left out.
 */
export async function* accountFiles(parts: ArchiveParts, account: Account): AsyncGenerator<ArchivedFile> {
  const { store, clock, availability } = parts
  const buildings = await appBuildingsOf(store, account.id, 'all', availability, clock.now())
  yield json('account.json', await personOf(store, account, buildings, clock.now()))
  for (const [i, building] of buildings.filter(({ role }) => role === 'owner').entries())
    yield* buildingFiles(store, building, `buildings/${i + 1}-${fileName(building.name)}`, clock.now())
}

async function personOf(store: Store, { id, email }: Account, buildings: AppBuilding[], nowMs: number) {
  const { db } = store
  const of = (table: 'notificationChoices' | 'pushDevices') => db.selectFrom(table).where('accountId', '=', id)
  const ownRows = (table: 'session' | 'passkey', columns: string[]) =>
    (db.withoutPlugins() as unknown as Kysely<Record<string, Record<string, unknown>>>)
      .selectFrom(table)
      .select(columns)
      .where('userId', '=', id)
      .orderBy('createdAt')
      .execute()
  const [person, keys, apps, webhooks, notifications, devices, sessions, passkeys] = await Promise.all([
    db.selectFrom('user').select('name').where('id', '=', id).executeTakeFirst(),
    listKeys(store, id),
    grantedApps(store, id, nowMs),
    webhooksOf(store, id),
    of('notificationChoices').select(['mail', 'monthly', 'language', 'muted']).executeTakeFirst(),
    of('pushDevices').select(['language', 'userAgent', 'createdAt']).execute(),
    ownRows('session', ['createdAt', 'updatedAt', 'ipAddress', 'userAgent']),
    ownRows('passkey', ['name', 'createdAt']),
  ])
  return {
    email,
    name: person?.name,
    sessions,
    passkeys,
    api_keys: keys.map(({ name, hint, permission, buildings, createdAt, lastUsedAt, expiresAt, revokedAt }) => ({
      name,
      hint,
      permission,
      buildings: buildings === null ? null : JSON.parse(buildings),
      created: timestampOf(createdAt),
      last_used: timeOf(lastUsedAt),
      expires: timeOf(expiresAt),
      revoked: timeOf(revokedAt),
    })),
    connected_apps: apps,
    webhooks: webhooks.map(({ url, events, created, disabled }) => ({ url, events, created, disabled })),
    notifications: notifications && {
      mail: notifications.mail === 1,
      monthly: notifications.monthly === 1,
      language: notifications.language,
      muted: JSON.parse(notifications.muted),
    },
    push_devices: devices.map(({ createdAt, ...device }) => ({ ...device, created: timestampOf(createdAt) })),
    buildings: buildings.map(({ id, name, role, role_until }) => ({ id, name, role, role_until })),
  }
}

async function* buildingFiles(
  store: Store,
  building: AppBuilding,
  folder: string,
  nowMs: number,
): AsyncGenerator<ArchivedFile> {
  const { db } = store
  const { id: buildingId } = building
  yield json(`${folder}/building.json`, building)
  const changes = { by: 'actorKind', name: 'actorName', role: 'actorRole', subject: 'subject', field: 'field' }
  yield series(store, `${folder}/changes.csv`, {
    table: 'changeLog',
    of: { buildingId },
    order: 'sequence',
    columns: { time: 'changedAt', ...changes, before: 'oldValue', after: 'newValue' },
  })
  yield series(store, `${folder}/alerts.csv`, {
    table: 'alerts',
    of: { buildingId },
    order: 'id',
    columns: { time: 'beganAt', ended: 'endedAt', alert: 'alert' },
  })
  yield json(`${folder}/calendars.json`, await calendarsOf(store, buildingId, nowMs))
  yield json(`${folder}/screed.json`, await screedOf(store, buildingId))
  const promised = { time: 'promisedAt', from: 'fromAt', until: 'untilAt', limit_w: 'limitW', withdrawn: 'withdrawn' }
  const kwh = {
    planned_kwh: 'plannedKwh',
    promised_kwh: 'promisedKwh',
    taken_kwh: 'takenKwh',
    metered_kwh: 'meteredKwh',
  }
  yield series(store, `${folder}/power-limits.csv`, {
    table: 'limitRecords',
    of: { buildingId },
    order: 'promisedAt',
    columns: { ...promised, ...kwh },
  })
  const sensors = await db
    .selectFrom('sensors')
    .select(['id', 'address'])
    .where('buildingId', '=', buildingId)
    .orderBy('address')
    .execute()
  for (const { id, address } of sensors)
    yield* sensorFiles(store, { buildingId, sensorId: id }, `${folder}/sensors/${fileName(address)}`)
  for (const { gatewayId, kind, name } of await metersOf(store, buildingId))
    yield series(store, `${folder}/meters/${fileName(name)}-${gatewayId.slice(-6)}-${kind}.csv`, {
      table: 'meterReadings',
      of: { gatewayId, kind },
      order: 'hourAt',
      columns: { time: 'readAt', kwh: 'kwh' },
    })
  for (const [i, { id, name }] of building.rooms.entries())
    yield* roomFiles(store, { roomId: id }, `${folder}/rooms/${i + 1}-${fileName(name)}`)
}

/** What was recorded while a screed was heated up, line by line. */
const screedOf = ({ db }: Store, buildingId: string) =>
  db
    .selectFrom('screedRecords')
    .select(['runId as run', 'n', 'text'])
    .where('buildingId', '=', buildingId)
    .orderBy('runId')
    .orderBy('n')
    .execute()

const metersOf = ({ db }: Store, buildingId: string) =>
  db
    .selectFrom('meterReadings')
    .innerJoin('gateways', 'gateways.id', 'meterReadings.gatewayId')
    .select(['gatewayId', 'kind', 'gateways.name'])
    .distinct()
    .where('gateways.buildingId', '=', buildingId)
    .orderBy('gatewayId')
    .orderBy('kind')
    .execute()

/** As they are kept: the latest as measured, older ones as means of five minutes and of hours. */
function* sensorFiles(store: Store, of: { buildingId: string; sensorId: string }, folder: string) {
  yield series(store, `${folder}/readings.csv`, {
    table: 'readings',
    of,
    order: 'measuredAt',
    columns: { time: 'measuredAt', temperature: 'temperatureC', humidity: 'humidityPct' },
  })
  const { sensorId } = of
  const order = 'startsAt'
  const means = { temperature: 'meanC', temperature_min: 'minC', temperature_max: 'maxC', humidity: 'humidityPct' }
  const columns = { time: order, ...means, readings: 'count' }
  yield series(store, `${folder}/five-minutes.csv`, { table: 'readingsFiveMinute', of: { sensorId }, order, columns })
  yield series(store, `${folder}/hours.csv`, { table: 'readingsHourly', of: { sensorId }, order, columns })
}

function* roomFiles(store: Store, of: { roomId: string }, folder: string) {
  yield series(store, `${folder}/control.csv`, {
    table: 'decisions',
    of,
    order: 'decidedAt',
    columns: { time: 'decidedAt', power: 'power', setpoint: 'targetC' },
  })
  yield series(store, `${folder}/heat.csv`, {
    table: 'roomHeat',
    of,
    order: 'day',
    columns: { day: 'day', heat_kwh_per_m2: 'kwhM2', cost_per_m2: 'costM2' },
  })
  yield series(store, `${folder}/former-sensors.csv`, {
    table: 'formerSensors',
    of,
    order: 'untilAt',
    columns: { until: 'untilAt', sensor: 'sensorId', other_sensors: 'otherSensors' },
  })
  yield series(store, `${folder}/feedback.csv`, {
    table: 'comfortVotes',
    of,
    order: 'hourAt',
    columns: { time: 'pressedAt', feeling: 'feeling', setpoint: 'setpointC', temperature: 'temperatureC' },
  })
}

function json(name: string, value: unknown): ArchivedFile {
  return { name, parts: textOf(`${JSON.stringify(value, null, 2)}\n`) }
}

async function* textOf(text: string): AsyncGenerator<string> {
  yield text
}

/** Rows of a table in the order of a column in which no two of them are alike. */
interface Series {
  table: keyof Tables
  of: Record<string, string>
  order: string
  /** The column of each heading. */
  columns: Record<string, string>
}

/** A table that is read in parts, each beginning after the last row of the one before. */
function series({ db }: Store, name: string, { table, of, order, columns }: Series): ArchivedFile {
  const plain = db as unknown as Kysely<Record<string, Record<string, unknown>>>
  const names = Object.values(columns)
  const rows = names.reduce(
    (query, column) => query.select(column),
    Object.entries(of)
      .reduce((query, [column, id]) => query.where(column, '=', id), plain.selectFrom(table).select(order))
      .orderBy(order)
      .limit(ROWS_A_PART),
  )
  async function* parts(): AsyncGenerator<string> {
    yield csvLine(Object.keys(columns))
    let found = await rows.execute()
    while (found.length > 0) {
      yield found.map((row) => csvLine(names.map((column) => cellOf(column, row[column])))).join('')
      found = found.length < ROWS_A_PART ? [] : await rows.where(order, '>', found.at(-1)?.[order]).execute()
    }
  }
  return { name, parts: parts() }
}

/** Times are stored as numbers. */
const cellOf = (column: string, value: unknown): unknown =>
  column.endsWith('At') && value !== null ? timestampOf(Number(value)) : value

const timeOf = (atMs: number | null): string | null => (atMs === null ? null : timestampOf(atMs))

/** Of what people have named: no name leads out of the archive, or to a file that some system refuses. */
const fileName = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, LONGEST_NAME) || 'unnamed'
