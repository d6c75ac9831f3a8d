import { join } from 'node:path'
import { openStore, systemClock } from '@hypocaust/service'
import { carriedOut } from '@hypocaust/testing/command.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { HOUSE, type Holder, settleHolder } from '@hypocaust/testing/houses.ts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'

const folder = temporaryFolder()
const data = join(folder.path, 'data')
let holder: Holder
beforeAll(async () => {
  const store = await openStore(data)
  holder = await settleHolder(store, systemClock, 'ada@example.org', HOUSE)
  await store.close()
})
afterEach(() => vi.unstubAllEnvs())
afterAll(() => folder.remove())

const commands = (): string[][] => [
  ['gateway', 'add', '--building', holder.buildingId, '--name', `gateway ${Math.random()}`],
  ['gateway', 'pairing-code', holder.gatewayIds[0] as string],
]

test.each([0, 1])('the pairing command names the address under which people reach the service (%i)', async (which) => {
  vi.stubEnv('HYPOCAUST_PUBLIC_URL', 'https://heating.example/')
  const { stdout } = await carriedOut([...(commands()[which] ?? []), '--data', data])
  expect(stdout).toMatch(/gateway pair --service https:\/\/heating\.example --code [A-Z0-9]{4}-[A-Z0-9]{4}/)
  expect(stdout).not.toContain('HYPOCAUST_PUBLIC_URL')
})

test.each([0, 1])('an address of this machine alone is named as one (%i)', async (which) => {
  const { stdout } = await carriedOut([...(commands()[which] ?? []), '--data', data])
  expect(stdout).toContain('--service http://127.0.0.1:8080 ')
  expect(stdout).toContain('For a gateway elsewhere set HYPOCAUST_PUBLIC_URL')
})
