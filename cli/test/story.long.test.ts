import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { carriedOut, hypocaust, type Running, start } from '@hypocaust/testing/command.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'

// One house from its first command to the restart after a crash; the tests build on each other.

const folder = temporaryFolder()
const HOUSE = join(import.meta.dirname, 'house.yaml')
const EMAIL = 'ada@example.org'
const ACCOUNT = ['--account', EMAIL]

const run = (args: string[], input?: string) => hypocaust(folder.path, [...args, '--data', 'house', '--json'], input)
/** Within this process, which is another one than the service as well. */
const carryOut = (args: string[]) => carriedOut([...args, '--data', join(folder.path, 'house'), '--json'])

let service: Running
let path: string
let writeKey: { id: string; key: string }

const call = (route: string, key: string, init: RequestInit = {}) =>
  fetch(service.url + route, { ...init, headers: { 'x-api-key': key, 'content-type': 'application/json' } })

const serve = async () => {
  service = await start(folder.path, [
    'serve',
    '--data',
    'house',
    '--port',
    '0',
    '--mqtt-port',
    '0',
    '--log-level',
    'warn',
  ])
}

beforeAll(async () => {
  // Three first starts at once: one creates the tables, the others wait for it.
  const firsts = await Promise.all([run(['account', 'list']), run(['account', 'list']), run(['building', 'list'])])
  expect(firsts.map(({ code, stderr, json }) => [code, stderr, json])).toEqual(Array(3).fill([0, '', []]))
  await serve()
})
afterAll(async () => {
  await service.end('SIGKILL')
  folder.remove()
})

test('serve prints where it listens', () => {
  expect(service.stdout).toMatch(/^Hypocaust listens on http:\/\/127\.0\.0\.1:\d+\n/)
})

test('an account is created beside the running service, once', async () => {
  const created = await run(['account', 'create', EMAIL, '--password-stdin'], 'correct horse battery\n')
  expect(created.json).toMatchObject({ email: EMAIL })
  const again = await run(['account', 'create', EMAIL, '--password-stdin'], 'correct horse battery\n')
  const message = `there is already an account ${EMAIL}`
  expect([again.code, JSON.parse(again.stderr)]).toEqual([1, { error: { code: 'failed', message } }])
})

test('everything of an account goes to a file that only its owner can read, and no file is overwritten', async () => {
  const path = join(folder.path, 'everything.zip')
  const written = await run(['account', 'export', EMAIL, path])
  expect(written.json).toMatchObject({ email: EMAIL, file: path })
  expect(Object.keys(unzipSync(readFileSync(path)))).toContain('account.json')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const again = await run(['account', 'export', EMAIL, path])
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is there already')])
})

test('a house file becomes a building with its rooms, and its gateway’s token is printed once', async () => {
  const { json } = await carryOut(['building', 'apply', HOUSE, ...ACCOUNT])
  expect(json).toEqual({
    building: { id: expect.any(String), name: 'Lakeside 12' },
    rooms: [
      { id: expect.any(String), name: 'Bathroom' },
      { id: expect.any(String), name: 'Living room' },
    ],
    gateways: [{ id: expect.any(String), name: 'cellar', token: expect.stringMatching(/^hypg_/) }],
  })
  path = `/v1/buildings/${json.building.id}/rooms/${json.rooms[0].id}`
  const again = await carryOut(['building', 'apply', HOUSE, ...ACCOUNT])
  expect(again.json.gateways).toEqual([{ id: json.gateways[0].id, name: 'cellar' }])
  expect(again.json.rooms).toEqual(json.rooms)
  const list = await carryOut(['building', 'list', ...ACCOUNT])
  expect(list.json).toEqual([{ id: json.building.id, name: 'Lakeside 12', account: EMAIL }])
})

test('a key made by command opens the building in the running service', async () => {
  const made = await carryOut([
    'key',
    'create',
    ...ACCOUNT,
    '--name',
    'Panel',
    '--permission',
    'write',
    '--expires',
    '90d',
  ])
  expect(made.json).toEqual({ id: expect.any(String), key: expect.stringMatching(/^hyp_/), permission: 'write' })
  writeKey = made.json
  const room = await (await call(path, writeKey.key)).json()
  expect(room).toMatchObject({ name: 'Bathroom', target_temperature: 22, preset_mode: 'low', sensor: null })
  const { json } = await carryOut(['key', 'list', ...ACCOUNT])
  expect(json).toMatchObject([{ id: writeKey.id, name: 'Panel', permission: 'write', revoked_at: null }])
  expect(JSON.stringify(json)).not.toContain(writeKey.key)
})

test('a programme is shown, edited and followed beside the running service', async () => {
  const shown = await hypocaust(folder.path, ['programme', 'show', 'bathroom', '--data', 'house'])
  expect(shown.stdout).toMatch(/^# Bathroom: kelvin below the target .*\nnight_mode:\n {2}from: "?22:30"?\n/)
  const text = 'programme:\n  monday: [{ at: "05:30", setback: 0 }, { at: "22:30", setback: 3 }]\n'
  const saved = await run(['programme', 'edit', 'bathroom', '--file', '-'], text)
  expect(saved.json).toMatchObject({ room: { name: 'Bathroom' }, programme: { monday: [{}, { setback: 3 }] } })
  const wrong = await run(['programme', 'edit', 'bathroom', '--file', '-'], text.replace('"22:30"', '"05:00"'))
  expect([wrong.code, JSON.parse(wrong.stderr).error.message]).toEqual([
    1,
    '-:2: programme.monday.1.at: must be later than the step before it',
  ])
  const again = await carryOut(['programme', 'show', 'bathroom'])
  expect(again.json).toEqual({ ...saved.json, night_mode: null })
  const outlook = (await (await call(`${path}/outlook`, writeKey.key)).json()) as { next: object }
  expect(outlook.next).toMatchObject({ at: expect.stringMatching(/Z$/) })
  const edited = await hypocaust(folder.path, ['programme', 'edit', 'bathroom', '--data', 'house'], '', {
    EDITOR: 'sed -i s/3/4/',
  })
  expect(edited.stdout).toBe('Bathroom: programme saved\n')
  expect((await carryOut(['programme', 'show', 'bathroom'])).json.programme.monday[1].at).toBe('22:40')
  expect((await carryOut(['programme', 'show', 'attic'])).code).toBe(3)
})

test('a change is there after the process was killed right after its answer', async () => {
  const answer = await call(path, writeKey.key, { method: 'PATCH', body: '{"target_temperature":24.5,"name":"Spa"}' })
  expect(await service.end('SIGKILL')).toBe('SIGKILL')
  expect(answer.status).toBe(200)
  await serve()
  const room = await (await call(path, writeKey.key)).json()
  expect(room).toMatchObject({ target_temperature: 24.5, name: 'Spa' })
})

test('a key revoked from a second process is refused at once, with the answer of a key that never existed', async () => {
  expect((await call('/v1/key', writeKey.key)).status).toBe(200)
  const revoked = await run(['key', 'revoke', writeKey.id, ...ACCOUNT])
  expect(revoked.json).toEqual({ id: writeKey.id, revoked: true })
  const refused = await call('/v1/key', writeKey.key)
  const unknown = await call('/v1/key', `hyp_${'0'.repeat(38)}`)
  expect([refused.status, await refused.text()]).toEqual([401, await unknown.text()])
  expect((await carryOut(['key', 'list', ...ACCOUNT])).json[0].revoked_at).toMatch(/Z$/)
})

test('SIGTERM drains and ends with 0', async () => {
  expect(await service.end('SIGTERM')).toBe(0)
})

test('flags beat environment beats file, for every command', async () => {
  writeFileSync(join(folder.path, 'hypocaust.yaml'), 'data: house\n')
  const { stdout } = await hypocaust(folder.path, ['account', 'list'])
  expect(stdout).toContain(EMAIL)
  const flag = await hypocaust(folder.path, ['account', 'list', '--data', 'empty'])
  expect(flag.stdout).toBe('There are no accounts yet.\n')
  expect(readFileSync(join(folder.path, 'hypocaust.yaml'), 'utf8')).toBe('data: house\n')
})
