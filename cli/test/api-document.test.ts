import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ERRORS } from '@hypocaust/domain'
import { listeningWorld } from '@hypocaust/testing/client.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { expect, test } from 'vitest'
import type { Refusal } from '../../service/src/doors/http/v1/faults.ts'
import { HOUSE_FAULTS, REQUEST_FAULTS } from '../src/demo/faults/kinds.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8')
const rowsOf = (title: string) => {
  const [section = ''] = page.split(`\n## ${title}\n`)[1]?.split('\n## ') ?? []
  return section.matchAll(/^\| (.*?) \| (.*?) \|/gm)
}

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
    const [, program = ''] = /```python\n(.*?)```/s.exec(page) ?? []
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

/** Says so where Python is missing, and does not let a build server skip anything. */
function withoutPython(): boolean {
  if (spawnSync('python3', ['--version']).status === 0) return false
  if (process.env.CI === 'true') throw new Error('python3 is not installed: apt-get install python3')
  console.warn('SKIPPED: python3 is not installed, so the client of docs/api.md was not run')
  return true
}
