// npm run test:overload -- [--seconds N] [--times N]: over TLS, many times the load a process can carry.
// It prints what is refused, how long the rest takes, /health/live, the memory and the recovery.
import { get } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { parseArgs } from 'node:util'
import { Target } from '../fuzz/target.ts'
import { Flood } from './flood.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '120' }, times: { type: 'string', default: '3' } },
})
const seconds = Number(values.seconds)
const times = Number(values.times)

const CARRIED_CONNECTIONS = 128
/** Each has one request under way: there must be more than the service lets wait. */
const OVERLOAD_CONNECTIONS = 1536
const CARRIED_S = 10
/** Until V8 has settled on the size of its heap. */
const WARM_UP_S = 90
const MOST_GROWTH = 0.1
const LOOK_EVERY_MS = 250
/** Of ten requests, one change. */
const READS_PER_CHANGE = 9

const target = await Target.start('sqlite', { tls: true })
const secure = { host: '127.0.0.1', port: target.httpPort, ...(target.authority && { ca: target.authority }) }
const house = await target.newOwner()
const flood = new Flood(
  () => connect(secure),
  [
    ...Array.from({ length: READS_PER_CHANGE }, () => requestOf('GET', `/v1/buildings/${house.buildingId}/rooms`)),
    requestOf('PATCH', `/v1/buildings/${house.buildingId}/rooms/${house.roomIds[0]}`, '{"target_temperature":21}'),
  ],
)
try {
  await flood.carried(CARRIED_CONNECTIONS, CARRIED_S / 2)
  const carried = await flood.carried(CARRIED_CONNECTIONS, CARRIED_S)
  console.log(`carried               ${carried.toFixed(0)} requests/s on ${CARRIED_CONNECTIONS} connections`)
  await flood.run(OVERLOAD_CONNECTIONS, carried * times, WARM_UP_S)
  const watch = watchProcess()
  const flooded = await flood.run(OVERLOAD_CONNECTIONS, carried * times, seconds)
  const { sent, heldBack, byStatus, acceptedMs, seconds: lasted } = flooded
  const { samples, health } = await watch.stop()
  const third = Math.floor(samples.length / 3)
  const [first, last] = [median(samples.slice(0, third)), median(samples.slice(-third))]
  const growth = (last - first) / first
  const answers = [...byStatus].map(([status, count]) => `${count} × ${status}`).join(', ')
  console.log(`offered for ${lasted.toFixed(0)} s      ${((sent + heldBack) / lasted).toFixed(0)} requests/s`)
  console.log(`sent                  ${(sent / lasted).toFixed(0)} requests/s, the rest found every connection full`)
  console.log(`answers               ${answers}`)
  const refused = byStatus.get('503') ?? 0
  console.log(
    `accepted              ${(acceptedMs.length / lasted).toFixed(0)} requests/s, p50 ${share(acceptedMs, 0.5).toFixed(0)} ms, p99 ${share(acceptedMs, 0.99).toFixed(0)} ms`,
  )
  console.log(
    `refused with 503      ${((100 * refused) / Math.max(1, refused + acceptedMs.length)).toFixed(1)} % of what was answered`,
  )
  console.log(
    `/health/live          ${health.answered} answers, ${health.failed} failures, slowest ${health.slowestMs.toFixed(0)} ms`,
  )
  console.log(
    `memory                ${first.toFixed(0)} MB in the first third, ${last.toFixed(0)} MB in the last, at most ${Math.max(...samples).toFixed(0)} MB: ${(growth * 100).toFixed(1)} %`,
  )
  const tenth = Math.ceil(samples.length / 10)
  const course = Array.from({ length: 10 }, (_, i) => median(samples.slice(i * tenth, (i + 1) * tenth)).toFixed(0))
  console.log(`  in each tenth       ${course.join(' ')} MB`)
  flood.close()
  console.log(`recovered after       ${(await recoveredAfterMs()).toFixed(0)} ms`)
  process.exitCode = growth <= MOST_GROWTH && health.failed === 0 ? 0 : 1
} finally {
  flood.close()
  await target.stop()
}

function requestOf(method: string, path: string, body = ''): string {
  const key = method === 'GET' ? house.readKey : house.writeKey
  const content = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${key}\r\n${content}\r\n${body}`
}

/** Memory and /health/live, each at its own pace: an answer that is late delays no sample. */
function watchProcess() {
  const samples: number[] = []
  const health = { answered: 0, failed: 0, slowestMs: 0 }
  const timer = setInterval(() => samples.push(target.residentMegabytes), LOOK_EVERY_MS)
  let isOver = false
  const done = (async () => {
    while (!isOver) {
      const askedMs = performance.now()
      const isOk = (await statusOf('/health/live').catch(() => 0)) === 200
      health[isOk ? 'answered' : 'failed']++
      health.slowestMs = Math.max(health.slowestMs, performance.now() - askedMs)
      await sleep(LOOK_EVERY_MS)
    }
  })()
  return {
    async stop() {
      clearInterval(timer)
      isOver = true
      await done
      return { samples, health }
    },
  }
}

/** How long until a single poll is answered again. */
async function recoveredAfterMs(): Promise<number> {
  const startMs = performance.now()
  while ((await statusOf(`/v1/buildings/${house.buildingId}/rooms`, { 'x-api-key': house.readKey })) !== 200)
    await sleep(LOOK_EVERY_MS)
  return performance.now() - startMs
}

/** Over a connection of its own, as a balancer's check. */
function statusOf(path: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ ...secure, path, headers, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    }).on('error', reject)
  })
}

function share(samples: number[], part: number): number {
  return samples.toSorted((a, b) => a - b)[Math.floor(part * samples.length)] ?? 0
}

function median(samples: number[]): number {
  return share(samples, 0.5)
}
