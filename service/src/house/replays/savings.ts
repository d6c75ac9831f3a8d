import { type Saving, SLOT_S } from '@hypocaust/control'
import { DAY_MS, type RoomSavings } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import type { Availability } from '../buildings/buildings.ts'
import { lawInputs } from '../heating/outlook.ts'
import { slotsOf } from '../heating/slots.ts'
import type { RoomScope } from '../rooms/write.ts'
import type { Replays } from './replays.ts'

const PAST_DAYS = 28
/** Of less the weather of single days would be the result. */
const LEAST_DAYS = 7

interface Parts {
  store: Store
  availability: Availability
  replays: Replays
}

/** What half a degree less, and setbacks an hour earlier, would have saved; null before the room has been learned. */
export async function roomSavings(
  { store, availability, replays }: Parts,
  scope: RoomScope,
  nowMs: number,
): Promise<RoomSavings> {
  const { state, input } = await lawInputs(store, availability, scope, nowMs)
  const history = await slotsOf(store, scope.roomId, nowMs - PAST_DAYS * DAY_MS)
  const days = Math.round((history.length * SLOT_S) / 8640) / 10
  const settings = { ...input.settings, override: null, away: null }
  const nothing = { days, target: settings.targetC, half_degree: null, hour_of_night: null }
  if (!state || state.fit.accepted === 0 || days < LEAST_DAYS || settings.steering.kind !== 'automatic') return nothing
  const { halfDegree, hourOfNight } = await replays.ask({ kind: 'savings', room: state, history, settings })
  return { ...nothing, half_degree: percentOf(halfDegree), hour_of_night: percentOf(hourOfNight) }
}

const percentOf = (saving: Saving | null) =>
  saving && { value: rounded(100 * saving.share), plus_minus: rounded(100 * saving.error) }

const rounded = (value: number): number => Math.round(value * 10) / 10
