// npm run test:budgets -- [--seconds N] [--engine sqlite|postgres]: one key of each role sends what its budget allows to
// every route, and holds as many waiting requests as it may. It prints what another owner's poll and /health/live take.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ROLES } from '@hypocaust/domain'
import { createKey, systemClock } from '@hypocaust/service'
import { settleMember } from '@hypocaust/testing/members.ts'
import { starvedMs } from '../fuzz/starved.ts'
import { Target } from '../fuzz/target.ts'
import { type Request, requestsOf } from './requests.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    engine: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
  },
})
const seconds = Number(values.seconds)

/** Of each key: more than the service works on at a time. */
const AT_ONCE = 8
/** Of each key; the service lets 50 wait, and as many streams. */
const WAITING = 45
const STREAMS = 45
const POLL_EVERY_MS = 200
const MOST_POLL_P99_MS = 250
const MOST_HEALTH_MS = 1000

let isPassed = true
async function tryEngine(engine: 'sqlite' | 'postgres'): Promise<void> {
  const target = await Target.start(engine, { isAsInstalled: true })
  try {
    const [house, other] = [await target.newOwner(), await target.newOwner()]
    const place = { buildingId: house.buildingId, roomId: house.roomIds[0] ?? '' }
    const keys = await keysOfRoles(target, place)
    await askForEach(target, keys[0]?.[1] ?? '', requestsOf(place, Date.now()))
    const endMs = performance.now() + seconds * 1000
    const polled = measured(target, endMs, () => ask(target, `/v1/buildings/${other.buildingId}/rooms`, other.readKey))
    const health = measured(target, endMs, () => ask(target, '/health/live'))
    const used = keys.map(async ([role, key]) => {
      const byStatus = new Map<number, number>()
      const held = (path: string, count: number) =>
        Array.from({ length: count }, () => useUp(target, key, [{ id: '', method: 'GET', path }], 0, endMs, byStatus))
      await Promise.all([
        ...Array.from({ length: AT_ONCE }, (_, i) =>
          useUp(target, key, requestsOf(place, Date.now()), i, endMs, byStatus),
        ),
        ...held(`/v1/buildings/${place.buildingId}/state?wait=50`, WAITING),
        ...held('/v1/events', STREAMS),
      ])
      return `  ${role.padEnd(10)} ${[...byStatus]
        .toSorted()
        .map(([status, count]) => `${count} × ${status}`)
        .join(', ')}`
    })
    const [poll, live, ...roles] = await Promise.all([polled, health, ...used])
    const [p50, p99] = [share(poll.tookMs, 0.5), share(poll.tookMs, 0.99)]
    const slowest = Math.max(...live.tookMs)
    isPassed &&= p99 < MOST_POLL_P99_MS && slowest < MOST_HEALTH_MS && poll.refused + live.refused === 0
    console.log(`${engine}, ${seconds} s\n${roles.join('\n')}`)
    console.log(
      `  poll of another owner: ${counted(poll)}, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms (${share(poll.ownMs, 0.99).toFixed(0)} ms of it ours)`,
    )
    console.log(
      `  /health/live: ${counted(live)}, slowest ${slowest.toFixed(0)} ms (${Math.max(...live.ownMs).toFixed(0)} ms ours)`,
    )
  } finally {
    await target.stop()
  }
}

/** Each may read, write, and change the settings of the heating control, as far as its role goes. */
const keysOfRoles = (target: Target, { buildingId, roomId }: { buildingId: string; roomId: string }) =>
  target.withStore((store) =>
    Promise.all(
      ROLES.map(async (role) => {
        const member = { buildingId, role, email: `${role}@example.org`, roomIds: [roomId] }
        const { accountId } = await settleMember(store, systemClock, member)
        const key = { accountId, name: role, permission: 'write', expiresAt: null, control: true } as const
        return [role, (await createKey(store, systemClock, key)).value] as const
      }),
    ),
  )

/** What is made at the first request of a route, such as the check of its fields, is there before the minute begins. */
async function askForEach({ url }: Target, key: string, requests: Request[]): Promise<void> {
  for (const { method, path, body } of requests) {
    const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) }
    await (await fetch(url + path, { method, headers, ...(body && { body }) })).text()
  }
}

/** One request after the other, from another one of them on; over the budget, as soon as the service allows. */
async function useUp(
  { url }: Target,
  key: string,
  requests: Request[],
  first: number,
  endMs: number,
  byStatus: Map<number, number>,
): Promise<void> {
  const tags = new Map<string, string>()
  for (let i = first; performance.now() < endMs; i++) {
    const { method, path, body } = requests[i % requests.length] as Request
    const tag = path.includes('wait=') ? tags.get(path) : undefined
    const headers = {
      'x-api-key': key,
      accept: 'application/json, text/event-stream',
      ...(body && { 'content-type': 'application/json' }),
      ...(tag && { 'if-none-match': tag }),
    }
    const leftMs = Math.max(1, Math.ceil(endMs - performance.now()))
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(body && { body }),
      signal: AbortSignal.timeout(leftMs),
    })
      .then(async (given) => ({ status: given.status, headers: given.headers, text: await given.text() }))
      .catch(() => undefined)
    // The end of the minute has come first.
    if (!answer) return
    byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1)
    tags.set(path, answer.headers.get('etag') ?? '')
    const waitS = Number(answer.headers.get('retry-after') ?? 0)
    await sleep(Math.min(waitS * 1000, Math.max(0, endMs - performance.now())))
  }
}

interface Measured {
  tookMs: number[]
  /** Without the time in which threads of the two processes were ready and had no processor: at least this is ours. */
  ownMs: number[]
  refused: number
}

async function measured(target: Target, endMs: number, isAnswered: () => Promise<boolean>): Promise<Measured> {
  const starved = () => starvedMs(target.process.pid) + starvedMs(process.pid)
  const [tookMs, ownMs]: [number[], number[]] = [[], []]
  let refused = 0
  while (performance.now() < endMs) {
    const [beganMs, starvedBeforeMs] = [performance.now(), starved()]
    if (!(await isAnswered())) refused++
    const spentMs = performance.now() - beganMs
    tookMs.push(spentMs)
    ownMs.push(Math.max(0, spentMs - (starved() - starvedBeforeMs)))
    await sleep(POLL_EVERY_MS)
  }
  return { tookMs, ownMs, refused }
}

async function ask({ url }: Target, path: string, key?: string): Promise<boolean> {
  const answer = await fetch(url + path, { headers: key === undefined ? {} : { 'x-api-key': key } })
  await answer.text()
  return answer.ok
}

const counted = ({ tookMs, refused }: Measured): string => `${tookMs.length}, of which ${refused} were refused`

const share = (samples: number[], part: number): number =>
  samples.toSorted((a, b) => a - b)[Math.floor(part * samples.length)] ?? 0

for (const engine of ['sqlite', 'postgres'] as const) if (values.engine.includes(engine)) await tryEngine(engine)
process.exit(isPassed ? 0 : 1)
