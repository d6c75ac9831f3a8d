// npm run test:day: a night and 24 hours of the demo house in six minutes, with its faults on, and its memory watched.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { COLLECTING, residentMegabytes } from '@hypocaust/testing/collected-memory.ts'
import { freePort } from '@hypocaust/testing/ports.ts'

const SPEED = 600
/** With the first night: the rooms are learned for the first time then, and what that needs stays loaded. */
const WARM_UP_HOURS = 30
const HOURS = 24
const MOST_GROWTH = 0.1
const MAIN = join(import.meta.dirname, '../../cli/src/main.ts')

const folder = mkdtempSync(join(tmpdir(), 'hypocaust-day-'))
const port = await freePort()
const flags = ['--data', join(folder, 'data'), '--port', String(port), '--mqtt-port', '0', '--log-level', 'error']
const args = [...COLLECTING, MAIN, 'demo', ...flags, '--speed', String(SPEED), '--faults', '--faults-seed', '1']
const env = { ...process.env, HYPOCAUST_RATE_LIMIT_READS: '0' }
const demo = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
let text = ''
demo.stdout.setEncoding('utf8').on('data', (chunk) => {
  text += chunk
})
try {
  const readKey = await printedKey()
  const counts = new Map<number, number>()
  const startMs = performance.now()
  const hoursNow = () => ((performance.now() - startMs) / 3_600_000) * SPEED
  const samples: { hour: number; megabytes: number }[] = []
  while (hoursNow() < WARM_UP_HOURS + HOURS) {
    await poll(readKey, counts)
    samples.push({ hour: hoursNow(), megabytes: residentMegabytes(demo.pid ?? 0) })
    await sleep(50)
  }
  const warm = median(samples.filter(({ hour }) => hour > WARM_UP_HOURS - 2 && hour <= WARM_UP_HOURS))
  const end = median(samples.filter(({ hour }) => hour > WARM_UP_HOURS + HOURS - 2))
  const growth = (end - warm) / warm
  for (let hour = 0; hour < WARM_UP_HOURS + HOURS; hour += 3) {
    const part = samples.filter((each) => each.hour >= hour && each.hour < hour + 3)
    if (part.length > 0) console.log(`hour ${String(hour).padStart(2)}: ${median(part).toFixed(0)} MB`)
  }
  const answers = [...counts].map(([status, count]) => `${count} × ${status}`).join(', ')
  console.log(`${HOURS} simulated hours with faults, answers to polling: ${answers}`)
  console.log(
    `memory after warm-up ${warm.toFixed(1)} MB, at the end ${end.toFixed(1)} MB: ${(growth * 100).toFixed(1)} %`,
  )
  process.exitCode = growth <= MOST_GROWTH ? 0 : 1
} finally {
  const ended = once(demo, 'exit')
  demo.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
}

async function printedKey(): Promise<string> {
  for (;;) {
    const [, key] = /Read key\s+(\S+)/.exec(text) ?? []
    if (key) return key
    if (demo.exitCode !== null) throw new Error('the demo did not start')
    await sleep(50)
  }
}

async function poll(key: string, counts: Map<number, number>): Promise<void> {
  const url = `http://127.0.0.1:${port}/v1/buildings`
  const answer = await fetch(url, { headers: { 'x-api-key': key } })
  await answer.text()
  counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
}

function median(samples: { megabytes: number }[]): number {
  const sorted = samples.map(({ megabytes }) => megabytes).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
