import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkRole } from '../src/roles/check-role.ts'
import { readSettings } from '../src/settings.ts'

const DATABASE = { HYPOCAUST_DATABASE_URL: 'postgres://127.0.0.1/hypocaust' }
const BROKER = { HYPOCAUST_MQTT_URL: 'mqtt://127.0.0.1:1883' }
const NO_FILE = join(import.meta.dirname, 'none.yaml')

const check = (role: string, env: Record<string, string>) => () => checkRole(readSettings({ role }, env, NO_FILE))

test.each([
  ['all', {}],
  ['all', DATABASE],
  ['api', DATABASE],
  ['ingest', { ...DATABASE, ...BROKER }],
])('role %s runs with %j', (role, env) => {
  expect(check(role, env)).not.toThrow()
})

test.each([
  ['operator', {}, /--role operator .*set HYPOCAUST_DATABASE_URL=\S+, or run --role all/],
  ['api', {}, /--role api .*set HYPOCAUST_DATABASE_URL=\S+, or run --role all/],
  ['api', BROKER, /set HYPOCAUST_DATABASE_URL=/],
  ['ingest', DATABASE, /--role ingest .*set HYPOCAUST_MQTT_URL=/],
  ['ingest', {}, /set HYPOCAUST_DATABASE_URL=\S+ and HYPOCAUST_MQTT_URL=/],
  ['worker', {}, /--role: "worker" is not valid. It must be one of: all, api, ingest, operator/],
])('role %s does not run with %j, and says why', (role, env, message) => {
  expect(check(role, env)).toThrow(message)
})
