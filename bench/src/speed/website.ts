import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../load/database.ts'
import type { House } from '../load/houses.ts'
import type { Followed } from './followers.ts'

/** The service's, so that sessions can be made without the time that checking a password takes. */
export const AUTH_SECRET = 'a secret that the service and the sessions of this run share'

const MONTH_MS = 30 * 86_400_000
const MINUTE_MS = 60_000
const DAY_S = 86_400
/** Charts end at whole steps, as `web/src/room/spans.ts` has them. */
const CHART_STEP_S = 300

const tokenOf = ({ accountId }: House): string => `session-of-${accountId}`

/** Signs the owner of each house in. */
export async function addSessions(database: Database, houses: House[]): Promise<void> {
  const now = new Date().toISOString()
  const expiresAt = new Date(Date.now() + MONTH_MS).toISOString()
  const rows = houses.map((house) => ({
    ...{ id: tokenOf(house), token: tokenOf(house), userId: house.accountId },
    ...{ expiresAt, createdAt: now, updatedAt: now },
  }))
  await database.insert('session', rows)
}

function cookieOf(house: House): string {
  const token = tokenOf(house)
  const signature = createHmac('sha256', AUTH_SECRET).update(token).digest('base64')
  return `hypocaust.session_token=${encodeURIComponent(`${token}.${signature}`)}`
}

/** The website with the house's first page open on a wide screen: `web/src/api/` says what it asks when. */
export async function followWebsite({ client, house, begun, leaving }: Followed): Promise<void> {
  const cookie = { cookie: cookieOf(house) }
  const get = (path: string) => client.get(cookie, `/app${path}`)
  const { buildingId } = house
  const changing = ['/overview', `/buildings?id=${buildingId}`, '/alerts', `/buildings/${buildingId}/outlooks`]
  const histories = () => {
    const toS = (Math.floor(Date.now() / 1000 / CHART_STEP_S) + 1) * CHART_STEP_S
    return house.roomIds.map((roomId) => `/rooms/${roomId}/history?from=${toS - DAY_S}&to=${toS}`)
  }
  // One after the other: the pages of all houses open at once, and their connections together have a limit.
  for (const path of ['/session', '/notices', ...changing, ...histories()]) await get(path)
  const events = await client.open(cookie, '/app/events', leaving)
  begun()
  await Promise.all([
    every(MINUTE_MS, leaving, () => get('/notices')),
    every(5 * MINUTE_MS, leaving, () => Promise.all(histories().map(get))),
    (async () => {
      for await (const text of events) if (String(text).includes('event: house')) await Promise.all(changing.map(get))
    })(),
  ])
}

/** The first time within one interval from now, so that the pages of many houses do not act at the same moment. */
async function every(ms: number, signal: AbortSignal, act: () => Promise<unknown>): Promise<void> {
  for (let pauseMs = Math.random() * ms; ; pauseMs = ms) {
    await sleep(pauseMs, undefined, { signal })
    await act()
  }
}
