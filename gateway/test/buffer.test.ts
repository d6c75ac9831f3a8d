import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { GatewayReading } from '@hypocaust/domain'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keyOf, ReadingBuffer } from '../src/agent/buffer.ts'
import { Store } from '../src/base/store.ts'

const HEARD = { monoMs: 0, wallMs: 0, clockOk: true }
const NONE = new Map()

const reading = (temperature: number): GatewayReading => ({
  id: 'aa:bb:cc:dd:ee:ff',
  temperature,
  timestamp: '2026-01-10T08:15:02.123Z',
})

let folder: string
const logged: string[] = []
const open: Store[] = []

const start = (limitBytes = 1e9) => {
  const store = new Store(folder, (line) => logged.push(line))
  store.open()
  open.push(store)
  const buffer = new ReadingBuffer(store, limitBytes)
  buffer.start()
  return { store, buffer }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'buffer-'))
  logged.length = 0
})

afterEach(() => {
  for (const store of open.splice(0)) store.close()
  rmSync(folder, { recursive: true })
})

describe('the buffer', () => {
  test('drops a message that the disk gives back damaged, and sends the others', () => {
    const first = start()
    for (let i = 0; i < 3; i += 1) first.buffer.append([reading(i)], HEARD)
    first.store.put('relays', { one: 1 })
    // As a flipped bit in the stored text: SQLite's own check finds nothing wrong with it.
    first.store.run((db) => db.exec(`UPDATE message SET readings = replace(readings, '"id":', '"id"z') WHERE n = 2`))
    first.store.run((db) => db.exec(`UPDATE kept SET value = replace(value, ':', 'z') WHERE key = 'relays'`))
    first.store.close()
    const { store, buffer } = start()
    expect(buffer.oldest(10, NONE).map(({ n }) => n)).toEqual([1, 3])
    expect(store.get('relays')).toBeUndefined()
    expect(logged).toEqual([expect.stringMatching(/message .*damaged/), expect.stringMatching(/relays .*damaged/)])
    buffer.flush()
    expect(buffer.messages).toBe(2)
  })

  test('keeps messages in the order they were heard, over restarts, until each is committed', () => {
    const first = start()
    for (let i = 0; i < 12; i += 1) first.buffer.append([reading(i)], HEARD)
    first.store.close()
    const second = start()
    second.buffer.append([reading(12)], HEARD)
    const temperatures = () =>
      second.buffer.oldest(100, NONE).flatMap((message) => message.readings.map((each) => each.temperature))
    expect(temperatures()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    second.buffer.commit({ boot: first.buffer.boot, n: 5 })
    expect(temperatures()).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12])
    second.buffer.flush()
    expect(second.buffer.readings).toBe(12)
  })

  test('a commit of something unknown, or a second one, changes nothing', () => {
    const { buffer } = start()
    buffer.append([reading(1)], HEARD)
    buffer.commit({ boot: 'another', n: 1 })
    buffer.commit({ boot: buffer.boot, n: 2 })
    buffer.flush()
    expect(buffer.oldest(10, NONE)).toHaveLength(1)
    for (const _ of [1, 2]) {
      buffer.commit({ boot: buffer.boot, n: 1 })
      buffer.flush()
    }
    expect([buffer.messages, buffer.readings]).toEqual([0, 0])
  })

  test('what is left is what was appended and not committed, whatever happens in whatever order', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('append' as const), count: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ do: fc.constant('commit' as const), pick: fc.nat() }),
      fc.record({ do: fc.constant('flush' as const) }),
      fc.record({ do: fc.constant('restart' as const) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        rmSync(folder, { recursive: true })
        let { buffer, store } = start()
        const left = new Map<string, { boot: string; n: number; count: number }>()
        for (const each of steps) {
          const keys = [...left.keys()]
          if (each.do === 'append') {
            const { message } = buffer.append(Array(each.count).fill(reading(20)), HEARD)
            left.set(keyOf(message), { ...message, count: each.count })
          } else if (each.do === 'commit' && keys.length > 0) {
            const key = keys[each.pick % keys.length] ?? ''
            buffer.commit(left.get(key) ?? { boot: '', n: 0 })
            left.delete(key)
          } else if (each.do === 'flush') buffer.flush()
          else if (each.do === 'restart') {
            buffer.flush()
            store.close()
            ;({ buffer, store } = start())
          }
        }
        expect(buffer.oldest(1000, NONE).map(keyOf)).toEqual([...left.keys()])
        buffer.flush()
        expect(buffer.messages).toBe(left.size)
        expect(buffer.readings).toBe([...left.values()].reduce((sum, { count }) => sum + count, 0))
        store.close()
        open.length = 0
      }),
      { numRuns: runs(25) },
    )
  })

  test('beyond its limit the oldest go, and it says how many', () => {
    const { buffer } = start(2_000)
    let dropped = 0
    for (let i = 0; i < 100; i += 1) dropped += buffer.append([reading(i)], HEARD).dropped
    const kept = buffer.oldest(100, NONE).map((message) => message.readings[0]?.temperature)
    expect(kept.at(-1)).toBe(99)
    expect(dropped).toBe(100 - kept.length)
    expect(kept[0]).toBe(dropped)
    expect(kept.length).toBeGreaterThan(10)
  })

  test('a file that cannot be read is moved aside, not a reason to stop', () => {
    writeFileSync(join(folder, 'gateway.db'), 'this was a database once, before the power went\n'.repeat(500))
    const { buffer } = start()
    buffer.append([reading(1)], HEARD)
    expect(buffer.oldest(10, NONE)).toHaveLength(1)
    expect(readdirSync(folder).some((name) => name.includes('.broken-'))).toBe(true)
    expect(logged[0]).toContain('cannot be read')
  })

  test('a disk on which nothing can be opened does not keep the agent from starting', () => {
    const store = new Store('/proc/self', (line) => logged.push(line))
    store.open()
    open.push(store)
    store.put('order', { epoch: 1, seq: 2 })
    expect(store.get('order')).toEqual({ epoch: 1, seq: 2 })
    expect(logged).toEqual([expect.stringContaining('cannot be read'), expect.stringContaining('the disk failed')])
  })

  test('a disk that fails does not stop the heating: it goes on in memory, and says so', () => {
    const { buffer, store } = start()
    store.run((db) => db.exec('PRAGMA query_only = ON'))
    const { message } = buffer.append([reading(1)], HEARD)
    expect(buffer.oldest(10, NONE).map(keyOf)).toEqual([keyOf(message)])
    store.put('order', { epoch: 1, seq: 2 })
    expect(store.get('order')).toEqual({ epoch: 1, seq: 2 })
    expect(logged).toEqual([expect.stringContaining('the disk failed')])
  })
})

describe('killed while writing, twenty times', () => {
  test('nothing that was stored and not committed is lost, and nothing changes its number', async () => {
    const stored = new Map<string, number>()
    const committed = new Set<string>()
    for (let life = 0; life < 20; life += 1) await oneLife(3 + life * 4, stored, committed)

    const { buffer } = start()
    const left = new Map(buffer.oldest(1e6, NONE).map((message) => [keyOf(message), message.readings[0]?.temperature]))
    for (const [key, temperature] of stored) if (!committed.has(key)) expect(left.get(key)).toBe(temperature)
    for (const [key, temperature] of left) if (stored.has(key)) expect(temperature).toBe(stored.get(key))
    expect(stored.size).toBeGreaterThan(500)
    expect(committed.size).toBeGreaterThan(100)
  })

  /** A process that stores and commits as fast as it can, killed after it reported so many steps. */
  async function oneLife(steps: number, stored: Map<string, number>, committed: Set<string>): Promise<void> {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'buffer-writer.ts'), folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    let seen = 0
    for await (const line of createInterface({ input: child.stdout })) {
      const [what, key, temperature] = line.split(' ')
      if (!key) continue
      if (what === 'stored') stored.set(key, Number(temperature))
      else committed.add(key)
      seen += 1
      if (seen === steps) child.kill('SIGKILL')
    }
    await ended
    expect(child.signalCode).toBe('SIGKILL')
  }
})
