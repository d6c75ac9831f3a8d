// npm run test:soak -- [--minutes N]: the whole system at work with nothing that fails, and the memory of its processes.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { COLLECTING, residentMegabytes } from '@hypocaust/testing/collected-memory.ts'
import { beginRun } from '@hypocaust/testing/test-run.ts'
import { keptOf } from './kept.ts'
import { PairServers } from './servers.ts'
import { FailoverStage, roleOf } from './stage.ts'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } })
const SAMPLES = 120
/** What is compared: of the first a process is still compiling. */
const PARTS = 6
const PART = SAMPLES / PARTS
const MOST_GROWTH = 0.05

await beginRun()
const stage = await FailoverStage.start(await PairServers.start(), COLLECTING)
const samples = new Map(stage.installation.processes.map(({ index }) => [index, [] as number[]]))
for (let i = 1; i <= SAMPLES; i++) {
  await sleep((Number(values.minutes) * 60_000) / SAMPLES)
  for (const { index, pid } of stage.installation.processes) samples.get(index)?.push(residentMegabytes(pid))
  if (i % PART === 0) {
    const medians = [...samples].map(([index, megabytes]) => {
      return `${roleOf(index)} ${index}: ${median(megabytes.slice(-PART)).toFixed(1)} MB`
    })
    console.log(`part ${i / PART} of ${PARTS}: ${medians.join(', ')}`)
  }
}
await stage.finish()
const { changes, readings, lost, duplicated } = await keptOf(stage)
const { reads, writes } = stage.seen
await stage.remove()

console.log(`${values.minutes} minutes: ${reads.course.count} reads, ${changes} changes, ${readings} readings`)
console.log(`lost ${lost.length}, duplicated ${duplicated.length}, refused ${reads.refused + writes.refused}`)
const growths = [...samples].map(([index, megabytes]) => {
  const [warm, end] = [median(megabytes.slice(PART, 2 * PART)), median(megabytes.slice(-PART))]
  const growth = (end - warm) / warm
  console.log(
    `${roleOf(index)} ${index}: ${warm.toFixed(1)} MB, at the end ${end.toFixed(1)} MB: ${(growth * 100).toFixed(1)} %`,
  )
  return growth
})
process.exit(lost.length + duplicated.length === 0 && Math.max(...growths) <= MOST_GROWTH ? 0 : 1)

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
