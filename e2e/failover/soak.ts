// npm run test:soak -- [--minutes N]: the whole system at work with nothing that fails, and the memory of its processes.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { beginRun } from '@hypocaust/testing/test-run.ts'
import { keptOf } from './kept.ts'
import { FailoverStage, roleOf } from './stage.ts'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } })
const SAMPLES = 120
/** What is compared: of the first a process is still compiling. */
const PARTS = 6
const MOST_GROWTH = 0.05

await beginRun()
const stage = await FailoverStage.start()
const samples = new Map(stage.installation.processes.map(({ index }) => [index, [] as number[]]))
for (let i = 0; i < SAMPLES; i++) {
  await sleep((Number(values.minutes) * 60_000) / SAMPLES)
  for (const { index, pid } of stage.installation.processes) samples.get(index)?.push(residentMegabytes(pid))
}
await stage.finish()
const { changes, readings, lost, duplicated } = await keptOf(stage, stage.pair.primary.url)
const { reads, writes } = stage.seen
await stage.remove()

console.log(`${values.minutes} minutes: ${reads.course.count} reads, ${changes} changes, ${readings} readings`)
console.log(`lost ${lost.length}, duplicated ${duplicated.length}, refused ${reads.refused + writes.refused}`)
const growths = [...samples].map(([index, megabytes]) => {
  const part = Math.floor(SAMPLES / PARTS)
  const [warm, end] = [median(megabytes.slice(part, 2 * part)), median(megabytes.slice(-part))]
  const growth = (end - warm) / warm
  console.log(
    `${roleOf(index)} ${index}: ${warm.toFixed(1)} MB, at the end ${end.toFixed(1)} MB: ${(growth * 100).toFixed(1)} %`,
  )
  return growth
})
process.exit(lost.length + duplicated.length === 0 && Math.max(...growths) <= MOST_GROWTH ? 0 : 1)

function residentMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
