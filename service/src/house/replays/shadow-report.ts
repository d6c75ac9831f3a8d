import type { Shadow } from '@hypocaust/control'
import { DAY_MS, type ShadowReport, timestampOf } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import type { Availability } from '../buildings/buildings.ts'
import { lawInputs } from '../heating/outlook.ts'
import { slotsOf } from '../heating/slots.ts'
import type { RoomScope } from '../rooms/write.ts'
import type { Replays } from './replays.ts'

/** From then on the report counts; before, it is a first impression. */
const SHADOW_DAYS = 7
/** More than the law itself learns from would compare with a room it no longer knows. */
const MOST_DAYS = 14

interface Parts {
  store: Store
  availability: Availability
  replays: Replays
}

/** What the other thermostat made of a room, and what the law would have made of the same days; null where there is none. */
export async function shadowReport(parts: Parts, scope: RoomScope, nowMs: number): Promise<ShadowReport | null> {
  const { store, availability, replays } = parts
  const { state, input, room } = await lawInputs(store, availability, scope, nowMs)
  const since = room.watchedSince
  if (since === null) return null
  const history = await slotsOf(store, scope.roomId, Math.max(since, nowMs - MOST_DAYS * DAY_MS))
  const nothing = { since: timestampOf(since), ...NOTHING, error_k: state?.fit.errorK ?? null }
  if (input.unreached?.kind === 'watched-unseen' && history.length === 0) return { ...nothing, state: 'no_heat_seen' }
  if (!state) return { ...nothing, state: 'too_short' }
  const shadow = await replays.ask({ kind: 'shadow', room: state, history, settings: input.settings })
  if (!shadow) return { ...nothing, state: 'too_short' }
  const isReady = shadow.days >= SHADOW_DAYS
  const kind = state.fit.accepted === 0 ? 'not_learned' : isReady ? 'ready' : 'early'
  return { ...nothing, state: kind, ...figuresOf(shadow, room.areaM2) }
}

const NOTHING = { days: 0, other: null, ours: null, kelvin_hours: null, heat_percent: null }

function figuresOf({ days, other, ours, kelvinHours, heatKwhM2 }: Shadow, areaM2: number | null) {
  const result = ({ belowKh, aboveKh, heatKwhM2: heat }: Shadow['other']) => ({
    below_kh: rounded(belowKh),
    above_kh: rounded(aboveKh),
    heat_kwh: areaM2 === null ? null : rounded(heat * areaM2),
  })
  const percent = (value: number) => rounded((100 * value) / other.heatKwhM2)
  return {
    days,
    other: result(other),
    ours: result(ours),
    kelvin_hours: { value: rounded(kelvinHours.value), plus_minus: rounded(kelvinHours.plusMinus) },
    heat_percent:
      other.heatKwhM2 > 0 ? { value: percent(heatKwhM2.value), plus_minus: percent(heatKwhM2.plusMinus) } : null,
  }
}

const rounded = (value: number): number => Math.round(value * 10) / 10
