import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  applyHouse,
  createAccount,
  createKey,
  openStore,
  type Settings,
  type Store,
  startService,
  systemClock,
} from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, settingsOf } from '../context.ts'
import { DEMO_HOUSE } from '../demo-house.ts'
import { Failure } from '../failure.ts'
import { SERVE_FLAGS, stopOnSignal } from './serve.ts'

/** What the demo prints at every start. Real keys are never kept; these open a house that is not real. */
interface DemoSecrets {
  email: string
  password: string
  buildingId: string
  readKey: string
  writeKey: string
  gateway: { id: string; token: string }
}

const EMAIL = 'demo@hypocaust.example'

export function demoCommand(program: Command): void {
  addSettingFlags(
    program.command('demo').description('run the service with a furnished demo building'),
    SERVE_FLAGS,
  ).action(async (_flags: object, command: Command) => {
    const settings = settingsOf(command)
    const secrets = await furnish(settings)
    const service = await startService(settings)
    console.log(greeting(service.url, secrets))
    stopOnSignal(service)
  })
}

/** Once per data folder; later starts find what the first one wrote. */
async function furnish({ data }: Settings): Promise<DemoSecrets> {
  const file = join(data, 'demo.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as DemoSecrets
  const store = await openStore(data)
  try {
    const secrets = await createDemo(store)
    writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
    return secrets
  } finally {
    await store.close()
  }
}

async function createDemo(store: Store): Promise<DemoSecrets> {
  const password = randomBytes(9).toString('base64url')
  const created = await createAccount(store, EMAIL, password)
  if (created.kind !== 'created') {
    throw new Failure(`this data folder already has an account ${EMAIL}. Choose another folder with --data.`)
  }
  const accountId = created.account.id
  const house = await applyHouse(store, systemClock, DEMO_HOUSE, { accountId, overwriteSettings: false, prune: false })
  const [gateway] = house.gateways
  const keyFor = async (permission: 'read' | 'write') =>
    (await createKey(store, systemClock, { accountId, name: `Demo, ${permission}`, permission, expiresAt: null })).value
  return {
    email: EMAIL,
    password,
    buildingId: house.building.id,
    readKey: await keyFor('read'),
    writeKey: await keyFor('write'),
    gateway: { id: gateway?.id ?? '', token: gateway?.token ?? '' },
  }
}

const greeting = (url: string, { email, password, buildingId, readKey, writeKey }: DemoSecrets) => `
Hypocaust demo, listening on ${url}

  API reference  ${url}/docs/
  Account        ${email}   password  ${password}
  Read key       ${readKey}
  Write key      ${writeKey}

Try it:

  curl -s -H 'x-api-key: ${readKey}' ${url}/v1/buildings/${buildingId}/rooms
`
