import { SLOT_S, type Slot } from '@hypocaust/control'
import type { Store } from '../../store/store.ts'

const LONGEST_WINDOW_MS = 86_400_000
const SLOT_MS = SLOT_S * 1000

/** A window as the gateway reported it: the time in which water flowed. */
interface FlowWindow {
  startedAt: number
  windowS: number
  openS: number
}

/** A room's recorded half hours, each with the heat that reached its floor. */
export async function slotsOf(store: Store, roomId: string, sinceMs: number): Promise<Slot[]> {
  const rows = await store.db
    .selectFrom('roomSlots')
    .select('slot')
    .where('roomId', '=', roomId)
    .where('endsAt', '>=', sinceMs)
    .orderBy('endsAt')
    .execute()
  const slots = rows.map(({ slot }) => JSON.parse(slot) as Slot)
  return withReportedFlow(slots, await flowOf(store, roomId, sinceMs))
}

/** What each valve of the room reported. Exercising a valve is not heating, and its time is in other windows as well. */
async function flowOf({ db }: Store, roomId: string, sinceMs: number): Promise<FlowWindow[][]> {
  const rows = await db
    .selectFrom('valves')
    .innerJoin('valveWindows', (join) =>
      join
        .onRef('valveWindows.gatewayId', '=', 'valves.gatewayId')
        .onRef('valveWindows.channel', '=', 'valves.channel'),
    )
    .select(['valves.gatewayId', 'valves.channel', 'startedAt', 'windowS', 'openS'])
    .where('valves.roomId', '=', roomId)
    .where('startedAt', '>=', sinceMs - LONGEST_WINDOW_MS)
    .where('source', '!=', 'exercise')
    .orderBy('startedAt')
    .execute()
  return [...Map.groupBy(rows, ({ gatewayId, channel }) => `${gatewayId}/${channel}`).values()]
}

/** The commanded power counts only where no valve has reported what flowed. */
export function withReportedFlow(slots: readonly Slot[], valves: readonly (readonly FlowWindow[])[]): Slot[] {
  if (valves.length === 0) return [...slots]
  return slots.map((slot) => {
    const powers = valves.map((windows) => {
      const { known, flow } = flowWithin(windows, slot.endMs - SLOT_MS, slot.endMs)
      return flow + (1 - known) * slot.power
    })
    return { ...slot, power: powers.reduce((sum, power) => sum + power, 0) / powers.length }
  })
}

/** The part of the span that was reported, and the part of it in which water flowed. */
function flowWithin(windows: readonly FlowWindow[], fromMs: number, toMs: number): { known: number; flow: number } {
  let knownMs = 0
  let flowMs = 0
  for (const { startedAt, windowS, openS } of windows) {
    const overlapMs = Math.min(startedAt + windowS * 1000, toMs) - Math.max(startedAt, fromMs)
    if (overlapMs <= 0) continue
    knownMs += overlapMs
    flowMs += (overlapMs * Math.min(openS, windowS)) / windowS
  }
  const spanMs = Math.max(toMs - fromMs, knownMs)
  return { known: knownMs / spanMs, flow: flowMs / spanMs }
}
