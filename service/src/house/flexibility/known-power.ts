import { type HeatSource, isElectric, takenKwhM2 } from '@hypocaust/control'
import { DAY_MS, HOUR_MS, type PowerUnknown } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import { countedBy, metersOf } from '../heat/meters.ts'
import type { ControlInputs } from '../heating/inputs.ts'
import { slotsOf } from '../heating/slots.ts'
import { hotWaterSettingsOf } from '../hot-water/settings.ts'
import { lawSourceOf } from '../source/energy.ts'

/** By what the models' energy is multiplied, so that it is what the meters count; or why nobody can say. */
type KnownPower = { source: HeatSource; scale: number; unknown: null } | { scale: null; unknown: PowerUnknown }

const METERED_DAYS = 7
/** The filter needs a day to know the floor. */
const LEARNED_DAYS = 1
const COVERED = 0.9
/** With less in a week, nothing can be compared. */
const LEAST_KWH = 1
/** A meter that counts more or less than this is not that of the floors. */
const FARTHEST = 3

/**
 * Models know heat only in proportion, so watts are told only where a meter has counted the last week: the electricity of
 * the source where it makes no hot water, else the heat of the floors.
 */
export async function knownPower(store: Store, inputs: ControlInputs, nowMs: number): Promise<KnownPower> {
  const { building } = inputs
  const source = lawSourceOf(building)
  if (!source) return { scale: null, unknown: 'no_heat_source' }
  if (!isElectric(source)) return { scale: null, unknown: 'not_electric' }
  const rooms = inputs.rooms.filter(({ floorType }) => source.kind === 'electric' || floorType !== 'electric')
  if (rooms.some(({ areaM2 }) => areaM2 === null)) return { scale: null, unknown: 'no_area' }
  const untilMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  const fromMs = untilMs - METERED_DAYS * DAY_MS
  const meters = await metersOf(store, building.id, fromMs, untilMs)
  const histories = await Promise.all(rooms.map(({ id }) => slotsOf(store, id, fromMs - LEARNED_DAYS * DAY_MS)))
  const modelKwh = (of: HeatSource | null) =>
    rooms.reduce((sum, { state, areaM2 }, i) => {
      const history = histories[i] ?? []
      return state && areaM2 !== null ? sum + areaM2 * takenKwhM2(state, history, of, fromMs, untilMs) : sum
    }, 0)
  const electricity = hotWaterSettingsOf(building) ? null : countedBy(meters, 'electricity', fromMs, untilMs)
  const heat = countedBy(meters, 'heat', fromMs, untilMs)
  const [counted, model] =
    electricity && electricity.covered >= COVERED ? [electricity, modelKwh(source)] : [heat, modelKwh(null)]
  if (!counted || counted.covered < COVERED || model < LEAST_KWH) return { scale: null, unknown: 'no_meter' }
  const scale = counted.kwh / model
  if (scale > FARTHEST || scale < 1 / FARTHEST) return { scale: null, unknown: 'no_meter' }
  return { source, scale, unknown: null }
}
