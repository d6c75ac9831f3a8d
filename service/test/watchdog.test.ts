import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { afterAll, expect, test } from 'vitest'
import { Stall } from '../src/base/stall.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())
const PROCESSES = join(import.meta.dirname, '../src/processes')
const STORE = join(import.meta.dirname, '../src/store')
const GATEWAY = join(import.meta.dirname, '../../gateway/src/process')

/** A process of its own: what it does to itself must not happen to the tests. */
function started(script: string, env: NodeJS.ProcessEnv = {}) {
  const file = join(folder.path, `${randomUUID()}.mjs`)
  writeFileSync(file, script)
  const child = spawn(process.execPath, [file], { env: { ...process.env, ...env } })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  return {
    child,
    ended: async () => {
      await once(child, 'close')
      return { signal: child.signalCode, code: child.exitCode, stderr }
    },
  }
}

test('a process whose event loop stands still ends itself, and says why', async () => {
  const { ended } = started(`
    import { watchEventLoop } from ${JSON.stringify(join(PROCESSES, 'watchdog.ts'))}
    watchEventLoop({ stalledAfterMs: 300, lookEveryMs: 50 })
    for (;;);
  `)
  const { signal, stderr } = await ended()
  expect(signal).toBe('SIGKILL')
  expect(JSON.parse(stderr.trim())).toMatchObject({ msg: expect.stringContaining('stood still for 0.3 s') })
})

test('the thread that writes to SQLite ends a process whose event loop stands still', async () => {
  const { ended } = started(`
    import { Writer } from ${JSON.stringify(join(STORE, 'sqlite/writer.ts'))}
    import { watchEventLoop } from ${JSON.stringify(join(PROCESSES, 'watchdog.ts'))}
    const writer = new Writer(${JSON.stringify(join(folder.path, 'watched.db'))})
    const create = { sql: 'create table rooms (name text)', parameters: [] }
    await Promise.all(writer.submit([{ statements: [create], limits: [] }]))
    watchEventLoop({ stalledAfterMs: 300, lookEveryMs: 50, watch: (beats) => writer.watch(beats) })
    for (;;);
  `)
  const { signal, stderr } = await ended()
  expect(signal).toBe('SIGKILL')
  expect(stderr).toContain('stood still for 0.3 s')
})

test('a process with nothing left to do ends although it is watched', async () => {
  const { ended } = started(`
    import { watchEventLoop } from ${JSON.stringify(join(PROCESSES, 'watchdog.ts'))}
    watchEventLoop({ stalledAfterMs: 30_000 })
  `)
  expect(await ended()).toMatchObject({ code: 0, stderr: '' })
})

test('a process whose event loop turns now and then, but is busy all the time, ends itself too', async () => {
  const { ended } = started(`
    import { watchEventLoop } from ${JSON.stringify(join(PROCESSES, 'watchdog.ts'))}
    watchEventLoop({ stalledAfterMs: 1500, lookEveryMs: 50 })
    const busy = () => {
      const untilMs = performance.now() + 1000
      while (performance.now() < untilMs);
      setImmediate(busy)
    }
    busy()
  `)
  const { signal, stderr } = await ended()
  expect(signal).toBe('SIGKILL')
  expect(stderr).toContain('stood still for 1.5 s')
})

test('looks are counted, so that a machine that was suspended has not stalled', () => {
  const stall = new Stall(3)
  expect([1, 1, 1, 2, 2, 2, 2].map((beat) => stall.isStalled(beat))).toEqual([
    ...[false, false, false],
    ...[false, false, false, true],
  ])
})

test('a loop that is late now and then has not stalled', () => {
  const stall = new Stall(30)
  const beats = Array.from({ length: 300 }, (_, look) => Math.floor(look / 5))
  expect(beats.some((beat) => stall.isStalled(beat))).toBe(false)
})

test('systemd hears that the service is ready, and then again and again that it is alive', async () => {
  const heard = join(folder.path, 'heard')
  // In place of systemd's own command, which sends its arguments to the socket.
  writeFileSync(join(folder.path, 'systemd-notify'), `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >> ${heard}\n`, {
    mode: 0o755,
  })
  const { child, ended } = started(
    `
    import { notifyServiceManager } from ${JSON.stringify(join(GATEWAY, 'service-manager.ts'))}
    notifyServiceManager(process.env, console.error)
    setInterval(() => {}, 1000)
  `,
    { PATH: `${folder.path}:${process.env.PATH}`, NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '90000' },
  )
  const lines = () => (existsSync(heard) ? readFileSync(heard, 'utf8').trim().split('\n') : [])
  // Each is sent by a process of its own, and on a busy machine a later one may come first.
  await eventually(() => lines().includes('/run/notify --ready') && lines().length >= 4)
  child.kill()
  expect((await ended()).stderr).toBe('')
  const [ready, ...alive] = lines().sort()
  expect([ready, ...new Set(alive)]).toEqual(['/run/notify --ready', '/run/notify WATCHDOG=1'])
})
