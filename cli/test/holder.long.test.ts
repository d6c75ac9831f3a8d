import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { carriedOut, ENV, hypocaust, MAIN, type Running, start } from '@hypocaust/testing/command.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { HOUSE, type Holder, settleHolder } from '@hypocaust/testing/houses.ts'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { systemClock } from '../../service/src/base/clock.ts'
import { createKey } from '../../service/src/people/keys/keys.ts'
import { openStore } from '../../service/src/store/open.ts'
import type { Store } from '../../service/src/store/store.ts'

// A holder at a prompt, before a service that really runs; the tests build on each other.

const folder = temporaryFolder()
const elsewhereFolder = temporaryFolder()
const env = { XDG_CONFIG_HOME: join(folder.path, 'config') }
const loginFile = join(env.XDG_CONFIG_HOME, 'hypocaust/login.json')

let holder: Holder
let service: Running
let controlKey: string

const serve = (port: string) => start(folder.path, ['serve', '--port', port, '--mqtt-port', '0', '--log-level', 'warn'])
/** In a process of its own, and in a folder without a database, as on a machine that is not the service's. */
const run = (args: string[], input?: string) => hypocaust(elsewhereFolder.path, args, input, env)

/** Of the first room more than its error, of the second less. */
async function keepSavings({ db }: Store) {
  const rooms = await db.selectFrom('rooms').select('id').orderBy('position').execute()
  const values = rooms.map(({ id: roomId }, i) => {
    const half_degree_less = { percent: i === 0 ? 2.6 : 1.1, plus_minus: 1.3 }
    const savings = { days: 28, target_temperature: 21, half_degree_less, setback_hour_earlier: null }
    return { roomId, replayedAt: 0, settings: '', savings: JSON.stringify(savings) }
  })
  await db.insertInto('roomSavings').values(values).execute()
  // Else the service would look at them anew, and find rooms without a record.
  await db.updateTable('rooms').set({ fittedAt: Date.now() }).execute()
}

beforeAll(async () => {
  vi.stubEnv('XDG_CONFIG_HOME', env.XDG_CONFIG_HOME)
  const store = await openStore(join(folder.path, 'data'))
  holder = await settleHolder(store, systemClock, 'ada@example.org', HOUSE)
  await keepSavings(store)
  const key = {
    accountId: holder.accountId,
    name: 'control',
    permission: 'write',
    expiresAt: null,
    control: true,
  } as const
  controlKey = (await createKey(store, systemClock, key)).value
  await store.close()
  service = await serve('0')
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await service.end('SIGKILL')
  folder.remove()
  elsewhereFolder.remove()
})

test('before the login every command says how to log in', async () => {
  const { code, stderr } = await carriedOut(['rooms'])
  expect([code, stderr]).toEqual([1, 'hypocaust: log in first: hypocaust login URL\n'])
})

test('a wrong key is refused and nothing is kept', async () => {
  const { code, stderr } = await carriedOut(['login', service.url], 'hyp_wrong\n')
  expect(code).toBe(4)
  expect(stderr).toContain('the key is not valid')
  expect(existsSync(loginFile)).toBe(false)
})

test('a good key is kept for the holder’s eyes only, and never printed', async () => {
  const address = `${service.url.replace('http://', '')}/v1/`
  const { json, stdout } = await run(['login', address, '--json'], `${holder.readKey}\n`)
  expect(json).toMatchObject({ url: service.url, permission: 'read', buildings: ['Lakeside 12'], file: loginFile })
  expect(stdout).not.toContain(holder.readKey)
  expect(statSync(loginFile).mode & 0o777).toBe(0o600)
})

test('heat and cost of the rooms are shown for a month, and a month that is none is refused', async () => {
  const { stdout } = await carriedOut(['energy', '--month', '2026-01'])
  expect(stdout).toContain(
    'Lakeside 12, 2026-01-01 to 2026-01-31, no heat meter: only ratios are reliable; estimates, not a bill',
  )
  expect(stdout).toMatch(/Room +Heat +Range +Share +Cost +Half a degree less/)
  expect(stdout).toMatch(/Bathroom .* saves 2\.6 % ± 1\.3$/m)
  expect(stdout).toMatch(/saves nothing$/m)
  const { json } = await carriedOut(['energy', '--from', '2026-01-02', '--to', '2026-01-03', '--json'])
  expect(json).toMatchObject([{ name: 'Lakeside 12', energy: { from: '2026-01-02', to: '2026-01-03', heat: null } }])
  const wrong = await carriedOut(['energy', '--month', 'January'])
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('January is not a month; for example 2026-01'),
  ])
})

test('an assistant that starts the command is served the rooms, with no tool that this key may not use', async () => {
  const assistant = new Client({ name: 'assistant', version: '1.0.0' })
  const inherited = Object.entries({ ...ENV, ...env }).flatMap(([name, value]) => (value ? [[name, value]] : []))
  const server = {
    command: process.execPath,
    args: [MAIN, 'mcp'],
    cwd: folder.path,
    env: Object.fromEntries(inherited),
  }
  await assistant.connect(new StdioClientTransport(server))
  const names = (await assistant.listTools()).tools.map(({ name }) => name)
  const { structuredContent } = await assistant.callTool({ name: 'list_rooms', arguments: {} })
  await assistant.close()
  expect(names).toContain('explain_room')
  expect(names).not.toContain('change_room')
  expect(structuredContent).toMatchObject({ buildings: [{ name: 'Lakeside 12', rooms: [{ name: 'Bathroom' }, {}] }] })
})

test('a key that may only read cannot set, and says what to do', async () => {
  const { code, stderr } = await carriedOut(['set', 'bathroom', '22'])
  expect([code, stderr]).toEqual([
    4,
    `hypocaust: this key may only read. Log in with one that may write: hypocaust login ${service.url}\n`,
  ])
})

test('the rooms are shown in a table, and as JSON', async () => {
  await carriedOut(['login', service.url], `${holder.writeKey}\n`)
  const { stdout } = await carriedOut(['rooms'])
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
    ['Lakeside 12: no gateway has ever reported: there is nothing to connect to yet'],
    ['Room', 'Now', 'Target'],
    ['Bathroom', '–', '20.0 °C'],
    ['Living room', '–', '20.0 °C'],
    [''],
  ])
  const { json } = await carriedOut(['rooms', '--building', 'lakeside', '--json'])
  expect(json).toMatchObject([{ name: 'Lakeside 12', rooms: [{ name: 'Bathroom' }, { name: 'Living room' }] }])
})

test('set, off, heat and preset change the room that is meant', async () => {
  expect((await carriedOut(['set', 'BATHROOM', '22,5'])).stdout).toMatch(
    /^Bathroom: – now, target 22\.5 °C, preset none/,
  )
  expect((await carriedOut(['preset', 'living', 'room', 'MED', '--json'])).json).toMatchObject({
    name: 'Living room',
    preset_mode: 'medium',
  })
  expect((await carriedOut(['off', 'Bath', '--json'])).json).toMatchObject({
    hvac_mode: 'off',
    target_temperature: 22.5,
  })
  expect((await carriedOut(['heat', 'bath', '--json'])).json).toMatchObject({
    hvac_mode: 'heat',
    target_temperature: 22.5,
  })
})

test('presence shows who is home, reports it, and forgets a name', async () => {
  expect((await carriedOut(['presence'])).stdout).toBe(
    'Lakeside 12: nothing follows when nobody is home\n  nobody has been reported yet\n',
  )
  expect((await carriedOut(['presence', 'Anna', 'away'])).stdout).toMatch(/\n {2}Anna: away since .+\n$/)
  expect((await carriedOut(['presence', 'Anna', 'home', '--json'])).json).toMatchObject([
    { building: { name: 'Lakeside 12' }, presence: { people: [{ name: 'Anna', home: true }], rule: null } },
  ])
  expect((await carriedOut(['presence', 'Anna', 'forget'])).stdout).toContain('nobody has been reported yet')
})

test('set and off with an end, boost, away and back change only what counts for a while', async () => {
  const set = await carriedOut(['set', 'bathroom', '24', '--until', '2h', '--json'])
  expect(set.json).toMatchObject({ room: { name: 'Bathroom' }, override: { target_temperature: 24 } })
  const hours = (Date.parse(set.json.override.until) - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(1.9)
  expect(hours).toBeLessThanOrEqual(2)
  expect((await carriedOut(['off', 'living', 'room', '--until', '23:00'])).stdout).toMatch(
    /^Living room: off until \d{4}-\d\d-\d\d 23:00\n$/,
  )
  expect((await carriedOut(['boost', '--for', '90min', '--json'])).json).toMatchObject([
    { room: { name: 'Bathroom' }, override: { target_temperature: 24.5 } },
    { room: { name: 'Living room' }, override: { target_temperature: 22 } },
  ])
  expect((await carriedOut(['rooms', '--json'])).json[0].rooms[0].target_temperature).toBe(22.5)
  expect((await carriedOut(['away', '3d', '--from', '1h', '--temperature', '14', '--json'])).json).toMatchObject([
    { building: { name: 'Lakeside 12' }, away: { target_temperature: 14 } },
  ])
  expect((await carriedOut(['away'])).stdout).toMatch(
    /15.0 °C while away, from .* until you are back: hypocaust back\n$/,
  )
  expect((await carriedOut(['back', '--json'])).json).toMatchObject([
    { building: { name: 'Lakeside 12' }, away: null, ended: { target_temperature: 15, until: null } },
  ])
  await carriedOut(['away', '3d', '--temperature', '14'])
  expect((await carriedOut(['back'])).stdout).toMatch(
    /^Lakeside 12: ended the absence \(14\.0 °C from \d{4}-\d\d-\d\d \d\d:\d\d until \d{4}-.*\)\n$/,
  )
  expect((await carriedOut(['back'])).stdout).toBe('Lakeside 12: not away\n')
})

test('a near name is an error where nobody can be asked, and changes nothing', async () => {
  const { code, stderr } = await carriedOut(['off', 'bathrom'])
  expect([code, stderr]).toEqual([3, 'hypocaust: there is no room “bathrom”. Did you mean:\n  Bathroom\n'])
  expect((await carriedOut(['rooms', '--json'])).json[0].rooms[0].hvac_mode).toBe('heat')
})

/** At a terminal, with an answer to the question that is asked. */
async function atTerminal(args: string[], answer: string): Promise<string> {
  const command = `${process.execPath} ${MAIN} ${args.join(' ')}`
  const terminal = spawn('script', ['-qec', command, '/dev/null'], { cwd: folder.path, env: { ...ENV, ...env } })
  let shown = ''
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    if (text.includes('[y/N]')) terminal.stdin.write(`${answer}\n`)
  })
  await once(terminal, 'close')
  return shown
}

test.skipIf(process.platform !== 'linux')('at a terminal a near name is a question', async () => {
  expect(await atTerminal(['off', 'bathrom'], 'n')).toMatch(/there is no room “bathrom”\. Use Bathroom\? \[y\/N\]/)
  expect((await carriedOut(['rooms', '--json'])).json[0].rooms[0].hvac_mode).toBe('heat')
  await atTerminal(['off', 'bathrom'], 'y')
  expect((await carriedOut(['rooms', '--json'])).json[0].rooms[0].hvac_mode).toBe('off')
  await carriedOut(['heat', 'bathroom'])
})

test('a room is explained to a holder who has logged in', async () => {
  const { json } = await carriedOut(['explain', 'living', 'room', '--json'])
  expect(json).toMatchObject({ room: { name: 'Living room' }, decided_at: expect.stringMatching(/Z$/), mode: 'heat' })
  const { stdout } = await carriedOut(['explain', 'living room'])
  expect(stdout).toBe(
    `Living room, ${json.decided_at}\n${json.sentence}\n${json.details.map((line: string) => `  ${line}\n`).join('')}`,
  )
  const past = await carriedOut(['explain', 'bathroom', '--at', '2026-01-10T08:15'])
  expect([past.code, past.stderr]).toEqual([2, expect.stringContaining('--at needs the database of the service')])
})

test('a programme is shown and edited with a key that opens the heating control', async () => {
  const refused = await carriedOut(['programme', 'show', 'bathroom'])
  expect([refused.code, refused.stderr]).toEqual([
    4,
    expect.stringContaining('does not open the settings of the heating control'),
  ])
  await carriedOut(['login', service.url], `${controlKey}\n`)
  const text = 'programme:\n  monday: [{ at: "05:30", setback: 0 }, { at: "22:30", setback: 3 }]\n'
  const saved = await run(['programme', 'edit', 'bathroom', '--file', '-', '--json'], text)
  expect(saved.json).toMatchObject({ room: { name: 'Bathroom' }, programme: { monday: [{}, { setback: 3 }] } })
  expect((await carriedOut(['programme', 'show', 'bathroom', '--json'])).json).toEqual(saved.json)
  const file = join(elsewhereFolder.path, 'night.yaml')
  writeFileSync(file, 'night_mode: { from: "22:00", to: "06:00", setback: 2 }\n')
  const asProgramme = await carriedOut(['programme', 'edit', 'bathroom', '--file', file, '--json'])
  expect(asProgramme.json.programme.sunday).toEqual([
    { at: '00:00', setback: 2 },
    { at: '06:00', setback: 0 },
    { at: '22:00', setback: 2 },
  ])
  writeFileSync(file, '# none\n')
  expect((await carriedOut(['programme', 'edit', 'bathroom', '--file', file])).stdout).toBe(
    'Bathroom: programme removed\n',
  )
})

test('a programme that was changed while it was in the editor is not overwritten', async () => {
  const path = `/control/v1/buildings/${holder.buildingId}/rooms/${holder.roomIds[0]}/programme`
  const headers = { 'x-api-key': controlKey, 'content-type': 'application/json' }
  const other = { monday: [{ at: '07:00', setback: 1 }] }
  const request = JSON.stringify({ method: 'PUT', headers, body: JSON.stringify(other) })
  const editor = join(elsewhereFolder.path, 'editor.mjs')
  writeFileSync(editor, `await fetch('${service.url}${path}', ${request})`)
  vi.stubEnv('VISUAL', `${process.execPath} ${editor}`)
  const edited = await carriedOut(['programme', 'edit', 'bathroom'])
  expect([edited.code, edited.stderr]).toEqual([4, expect.stringContaining('The programme has changed')])
  expect((await carriedOut(['programme', 'show', 'bathroom', '--json'])).json.programme).toEqual(other)
})

test('without a database and a login both ways are named', async () => {
  vi.stubEnv('XDG_CONFIG_HOME', elsewhereFolder.path)
  const { code, stderr } = await carriedOut(['explain', 'bathroom'])
  vi.stubEnv('XDG_CONFIG_HOME', env.XDG_CONFIG_HOME)
  expect([code, stderr]).toEqual([
    1,
    'hypocaust: log in first: hypocaust login URL. Beside the service, name its data folder with --data instead.\n',
  ])
})

test.each([
  [['set', 'bathroom', '22', '--until', 'late'], 2, 'late is not a time; for example 23:00, 2026-12-24T18:00 or 2h'],
  [['set', 'bathroom', '22', '--until', '2020-01-01T10:00'], 4, 'until must be in the future.'],
  [['boost', '--for', 'ever'], 2, 'ever is not a span of time'],
  [['presence', 'Anna', 'gone'], 2, 'say where Anna is: home, away, or forget to remove the name'],
  [['away', '3d', '--temperature', '40'], 4, 'target_temperature must be at most 25.'],
  [['set', 'oom', '21'], 3, 'there is no room “oom”. There are:\n  Bathroom\n  Living room'],
  [['set', 'bathroom', 'warm'], 2, 'warm is not a temperature'],
  [['set', 'bathroom', '99'], 4, 'target_temperature must be at most 35.'],
  [['set', '21'], 2, 'name a room'],
  [['preset', 'bathroom', 'tropical'], 2, 'There are: none, low, medium, high'],
  [['rooms', '--interval', 'often'], 2, '--interval must be a number of seconds'],
])('%j is refused with what would be right', async (args, code, message) => {
  const outcome = await carriedOut(args)
  expect(outcome.stderr).toContain(message)
  expect(outcome.code).toBe(code)
})

test.each([
  [['set', 'oom', '21'], 3, 'not_found'],
  [['set', 'bathroom', '99'], 4, 'invalid_value'],
  [['set', 'bathroom', 'warm'], 2, 'usage'],
  [['set', '--nonsense'], 2, 'usage'],
])('%j --json tells why not as JSON', async (args, code, errorCode) => {
  const outcome = await carriedOut([...args, '--json'])
  expect(JSON.parse(outcome.stderr)).toEqual({ error: { code: errorCode, message: expect.stringMatching(/\w/) } })
  expect([outcome.code, outcome.stdout]).toEqual([code, ''])
})

/** `rooms --watch --json` beside the test, until it is ended. */
function watching() {
  const child = spawn(process.execPath, [MAIN, 'rooms', '--watch', '--json'], { env: { ...ENV, ...env } })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const words = createInterface({ input: child.stderr })[Symbol.asyncIterator]()
  return {
    nextTarget: async () => JSON.parse((await lines.next()).value ?? '').rooms[0].target_temperature,
    nextWords: async () => (await words.next()).value,
    async end() {
      const ended = once(child, 'close')
      child.kill('SIGTERM')
      await ended
      return child.exitCode
    },
  }
}

test('--watch --json prints each change on a line of its own, until it is ended', async () => {
  const { nextTarget, end } = watching()
  expect(await nextTarget()).toBe(22.5)
  await carriedOut(['set', 'bathroom', '23'])
  // What the service decides about the rooms meanwhile is a change too.
  let target = 22.5
  while (target === 22.5) target = await nextTarget()
  expect(target).toBe(23)
  expect(await end()).toBe(0)
})

test('--watch says when the connection is lost, and once when the service is back', async () => {
  const { nextTarget, nextWords, end } = watching()
  expect(await nextTarget()).toBe(23)
  await service.end('SIGKILL')
  expect(await nextWords()).toMatch(/^hypocaust: Connection lost, trying again\./)
  service = await serve(new URL(service.url).port)
  expect(await nextWords()).toBe('hypocaust: The service answers again.')
  expect(await nextTarget()).toBe(23)
  expect(await end()).toBe(0)
  expect(await nextWords()).toBeUndefined()
})

test('completion in bash knows commands, flags and rooms', async () => {
  const { stdout: script } = await carriedOut(['completion', 'bash'])
  const shim = `hypocaust() { '${process.execPath}' '${MAIN}' "$@"; }`
  const ask = `ask() { COMP_WORDS=(hypocaust "$@"); COMP_CWORD=$#; _hypocaust; (IFS=,; echo "\${COMPREPLY[*]}"); }`
  const questions = ['ask key cr', 'ask rooms --w', 'ask off liv', 'ask preset bathroom me', 'ask completion z']
  const shell = spawn('bash', ['-c', [shim, script, ask, ...questions].join('\n')], { env: { ...ENV, ...env } })
  let answers = ''
  shell.stdout.setEncoding('utf8').on('data', (text) => {
    answers += text
  })
  await once(shell, 'close')
  expect(answers.trim().split('\n')).toEqual(['create', '--watch', 'Living\\ room', 'medium', 'zsh'])
})

test('after the logout nothing is left', async () => {
  await carriedOut(['logout'])
  expect(existsSync(loginFile)).toBe(false)
})
