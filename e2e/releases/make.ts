// Writes the data of a small house as this version of the service leaves it: once per release, never again after it.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { downTopic, upTopic } from '@hypocaust/domain'
import { openStore, readSettings, startService, VERSION } from '@hypocaust/service'
import { connectAsync } from 'mqtt'
import { postgresPrograms, startPostgres } from '../../bench/src/load/processes.ts'
import { settle } from '../settle.ts'
import { EMAIL, HOUSE, READINGS, type ReleasedHouse, ROOM_PATCH, readingNumber } from './house.ts'

const folder = join(import.meta.dirname, VERSION)
if (existsSync(folder)) {
  console.error(`${folder} is there already. What was released does not change.`)
  process.exit(1)
}
mkdirSync(folder)
await makeSqlite(join(folder, 'sqlite'))
await makePostgres(join(folder, 'postgres'))
console.log(`${folder} is written`)

async function makeSqlite(to: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'hypocaust-release-'))
  const house = await liveIn(data)
  const db = new DatabaseSync(join(data, 'hypocaust.db'))
  db.exec('pragma wal_checkpoint(truncate); vacuum')
  db.close()
  cpSync(data, join(to, 'data'), { recursive: true })
  writeHouse(to, house)
  rmSync(data, { recursive: true })
}

async function makePostgres(to: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'hypocaust-release-'))
  const postgres = await startPostgres({ fsync: false })
  try {
    const url = `${postgres.url}/postgres`
    const house = await liveIn(data, url)
    const options = ['--inserts', '--no-owner', '--no-privileges', '--no-comments', url]
    const text = execFileSync(join(postgresPrograms(), 'pg_dump'), options, { encoding: 'utf8' })
    // What only psql understands is left out, so that any client can run it.
    const statements = text.split('\n').filter((line) => !/^(\\|--)/.test(line) && line !== '')
    mkdirSync(to)
    writeFileSync(join(to, 'dump.sql'), `${statements.join('\n')}\n`)
    writeHouse(to, house)
  } finally {
    await postgres.stop()
    rmSync(data, { recursive: true })
  }
}

function writeHouse(to: string, house: ReleasedHouse): void {
  writeFileSync(join(to, 'house.json'), `${JSON.stringify(house, null, 2)}\n`)
}

/** The whole service for some seconds: an account, a house, keys, a gateway with readings, a changed room. */
async function liveIn(data: string, databaseUrl?: string): Promise<ReleasedHouse> {
  const store = await openStore(data, databaseUrl)
  const { buildingId, roomIds, gatewayId, token, readKey, writeKey } = await settle(store, EMAIL, HOUSE)
  await store.close()

  const flags = { data, port: 0, mqtt_port: 0, log_level: 'error' }
  const env = databaseUrl === undefined ? {} : { HYPOCAUST_DATABASE_URL: databaseUrl }
  const service = await startService(readSettings(flags, env))
  await deliver(service.mqtt.port, gatewayId, token)
  const rooms = `${service.url}/v1/buildings/${buildingId}/rooms`
  const roomId = roomIds[0] ?? ''
  const headers = { 'x-api-key': writeKey, 'content-type': 'application/json' }
  const answer = await fetch(`${rooms}/${roomId}`, { method: 'PATCH', headers, body: JSON.stringify(ROOM_PATCH) })
  if (!answer.ok) throw new Error(`PATCH: ${answer.status} ${await answer.text()}`)
  await service.stop()
  return {
    buildingId,
    roomId,
    gatewayId,
    token,
    readKey,
    writeKey,
    writtenAt: new Date().toISOString(),
  }
}

async function deliver(port: number, id: string, token: string): Promise<void> {
  const identity = { clientId: id, username: id, password: token }
  const gateway = await connectAsync(`mqtt://127.0.0.1:${port}`, { protocolVersion: 4, ...identity })
  await gateway.subscribeAsync(downTopic(id, 'commit'), { qos: 1 })
  const committed = new Promise<void>((resolve) => {
    gateway.on('message', (_topic, payload) => {
      if (JSON.parse(payload.toString()).n === 1) resolve()
    })
  })
  const say = (name: 'heartbeat' | 'status' | 'readings', message: object) =>
    gateway.publishAsync(upTopic(id, name), JSON.stringify(message), { qos: 1 })
  const boot = 'release'
  const nowMs = Date.now()
  await say('status', { state: 'online', boot, version: VERSION, channels: 2, config_revision: 1 })
  await say('heartbeat', { boot, timestamp: new Date(nowMs).toISOString(), uptime_s: 60, buffered: 0, clock_ok: true })
  const readings = Array.from({ length: READINGS }, (_, i) => readingNumber(i, nowMs))
  await say('readings', { boot, n: 0, backfill: true, readings: readings.slice(1) })
  await say('readings', { boot, n: 1, backfill: false, readings: readings.slice(0, 1) })
  await committed
  await gateway.endAsync()
}
