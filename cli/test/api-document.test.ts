import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ERRORS } from '@hypocaust/domain'
import { listeningWorld } from '@hypocaust/testing/client.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { expect, test } from 'vitest'
import type { Refusal } from '../../service/src/doors/http/v1/faults.ts'
import { HOUSE_FAULTS, REQUEST_FAULTS } from '../src/demo/faults/kinds.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8')
const sectionOf = (title: string): string => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
const rowsOf = (title: string) => sectionOf(title).matchAll(/^\| (.*?) \| (.*?) \|/gm)
const codeOf = (title: string, language: string): string =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(sectionOf(title))?.[1] ?? ''

test('the page names every error with its status', () => {
  const named = [...rowsOf('When it fails')].slice(1).flatMap(([, statuses = '', codes = '']) => {
    const list = [...codes.matchAll(/`(\w+)`/g)].map(([, code = '']) => code)
    const numbers = statuses.split(', ').map(Number)
    return list.map((code, i) => [code, numbers[i] ?? numbers[0]])
  })
  expect(Object.fromEntries(named)).toEqual(
    Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status])),
  )
})

test('the page names every kind of fault', () => {
  const named = [...rowsOf('Try your client against a bad day')].flatMap(
    ([, cell = '']) => /^`(\w+)`$/.exec(cell)?.[1] ?? [],
  )
  expect(named).toEqual([...REQUEST_FAULTS, ...HOUSE_FAULTS])
})

test.skipIf(withoutPython())(
  'its client shows what changes, waits out an outage, and ends at a refused key',
  async () => {
    let refusal: Refusal | null = null
    let refused = 0
    const faults = async () => {
      if (refusal) refused++
      return { marks: refusal ? [refusal.kind] : [], refusal }
    }
    const world = await listeningWorld({ faults })
    const program = codeOf('A whole client', 'python')
    const env = { ...process.env, HYPOCAUST_URL: world.url, HYPOCAUST_KEY: world.holder.readKey, POLL_S: '0.05' }
    const child = spawn('python3', ['-c', program], { env: { ...env, PYTHONUTF8: '1' } })
    const ended = once(child, 'close')
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const nextLines = async () => [(await lines.next()).value, (await lines.next()).value]
    try {
      expect(await nextLines()).toEqual([
        'Lakeside 12, Bathroom, unavailable, idle',
        'Lakeside 12, Living room, unavailable, idle',
      ])
      refusal = { kind: '503' }
      await eventually(() => refused > 0)
      await world.heartbeat(world.holder.gatewayIds[0])
      await world.report(BATHROOM_SENSOR, { temperatureC: 21.4 })
      refusal = null
      expect(await nextLines()).toEqual([
        'Lakeside 12, Bathroom, 21.4 °C, idle',
        'Lakeside 12, Living room, unknown, idle',
      ])
      refusal = { kind: '401' }
      const [code] = await ended
      expect(code).toBe(1)
    } finally {
      child.kill('SIGKILL')
      await ended
      await world.close()
    }
  },
  120_000,
)

const EXAMPLES: [string, string, (code: string) => [string, string[]]][] = [
  ['curl', 'sh', (code) => ['bash', ['-c', code]]],
  ['Python', 'python', (code) => ['python3', ['-c', code]]],
  ['TypeScript', 'ts', (code) => [process.execPath, ['--input-type=module-typescript', '-e', code]]],
]

test.each(EXAMPLES.filter(([name]) => isThere(name)))(
  'its example of waiting for the state in %s prints the rooms, and again when one has changed',
  async (_name, language, commandOf) => {
    const folder = temporaryFolder()
    const world = await listeningWorld()
    const [program, args] = commandOf(codeOf('Follow a building', language))
    // TypeScript finds the client among the packages of the repository.
    const cwd = language === 'ts' ? join(import.meta.dirname, '../..') : folder.path
    const child = spawn(program, args, { cwd, env: { ...process.env, ...environmentOf(world) }, detached: true })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const until = async (pattern: RegExp) => {
      for (let line = ''; !pattern.test(line); ) line = String((await lines.next()).value)
    }
    try {
      await until(/Bathroom, .*20|"setpoint":20/)
      await world.call('PUT', `${world.bathroomPath}/override`, {
        key: world.holder.writeKey,
        body: { target_temperature: 26, hours: 1 },
      })
      await until(/Bathroom, .*26|"setpoint":26/)
    } finally {
      // With its own children, of which curl waits.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      await once(child, 'close')
      await world.close()
      folder.remove()
    }
  },
  120_000,
)

test.skipIf(withoutPython())('its example of yesterday asks for the day of the building', async () => {
  const world = await listeningWorld()
  await world.store.db.updateTable('buildings').set({ timezone: 'America/New_York' }).execute()
  const env = { ...process.env, ...environmentOf(world) }
  const child = spawn('python3', ['-c', codeOf('Yesterday', 'python')], { env })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text) => (stdout += text))
  child.stderr.on('data', (text) => (stderr += text))
  const [code] = await once(child, 'close')
  await world.close()
  expect([code, stderr]).toEqual([0, ''])
  expect(decodeURIComponent(stdout)).toMatch(
    /^from=\d{4}-\d\d-\d\dT00:00:00-0[45]:00&to=\d{4}-\d\d-\d\dT00:00:00-0[45]:00 \d+ 300\n$/,
  )
})

const environmentOf = ({ url, holder, bathroomId }: World & { url: string }) => ({
  HYPOCAUST_URL: url,
  HYPOCAUST_KEY: holder.readKey,
  BUILDING_ID: holder.buildingId,
  ROOM_ID: bathroomId,
  PYTHONUTF8: '1',
})

/** A machine without curl tries the other two. */
function isThere(name: string): boolean {
  return name === 'Python' ? !withoutPython() : name !== 'curl' || spawnSync('curl', ['--version']).status === 0
}

/** Says so where Python is missing, and does not let a build server skip anything. */
function withoutPython(): boolean {
  if (spawnSync('python3', ['--version']).status === 0) return false
  if (process.env.CI === 'true') throw new Error('python3 is not installed: apt-get install python3')
  console.warn('SKIPPED: python3 is not installed, so the client of docs/api.md was not run')
  return true
}
