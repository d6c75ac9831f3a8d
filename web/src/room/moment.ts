import type { AppPlan, RoomHistory } from '@hypocaust/domain'
import { DAY_S } from '@hypocaust/domain/facts'
import type { Formats } from '../i18n/formats.ts'
import type { Translate } from '../i18n/translator.ts'

export type Series =
  | 'temperature'
  | 'target'
  | 'power'
  | 'outdoor'
  | 'humidity'
  | 'surface_humidity'
  | 'expected'
  | 'planned'
  | 'price'
type Past = Exclude<Series, 'expected' | 'planned' | 'price'>

/** What a chart shows at one moment, in words: of the series that are drawn, no other. */
export interface Moment {
  time: string
  values: { key: Series; value: string }[]
}

/** At a point, or at the latest one that has a temperature. */
export function momentIn(
  history: RoomHistory,
  index: number | null,
  { drawn, format, timeZone }: { drawn: Past[]; format: Formats; timeZone: string },
): Moment {
  const i = index ?? lastKnown(history)
  const atS = history.times[i]
  const name = history.step_s < DAY_S ? format.moment : format.date
  const shown = (key: Past) => {
    const value = history[key][i] ?? null
    if (value === null) return '–'
    if (key === 'power') return format.percent(value)
    const isPercent = key === 'humidity' || key === 'surface_humidity'
    return isPercent ? format.percent(value / 100) : `${format.degrees(value)}°`
  }
  return {
    time: atS === undefined ? '–' : name(atS * 1000, timeZone),
    values: drawn.map((key) => ({ key, value: shown(key) })),
  }
}

/** What a plan expects at one of its steps. */
export function plannedMoment(
  plan: AppPlan,
  i: number,
  { format, timeZone }: { format: Formats; timeZone: string },
): Moment {
  const [setpoint, price] = [plan.setpoint[i] ?? null, plan.price[i] ?? null]
  return {
    time: format.moment((plan.times[i] ?? 0) * 1000, timeZone),
    values: [
      {
        key: 'expected',
        value: `${format.degrees(plan.temperature[i] ?? 0)}° ±\u00a0${format.kelvin(plan.error[i] ?? 0)}°`,
      },
      { key: 'target', value: setpoint === null ? '–' : `${format.degrees(setpoint)}°` },
      { key: 'planned', value: format.percent(plan.power[i] ?? 0) },
      ...(price === null ? [] : [{ key: 'price' as const, value: format.amount(price) }]),
    ],
  }
}

/** As a screen reader says it. */
export const momentInWords = ({ time, values }: Moment, t: Translate): string =>
  `${time}: ${values.map(({ key, value }) => `${t(`readout.${key}`)} ${value}`).join(', ')}`

/** By hand: `findLastIndex` is missing in browsers that can do everything else. */
export function lastKnown({ temperature }: RoomHistory): number {
  let i = temperature.length - 1
  while (i >= 0 && temperature[i] === null) i--
  return i
}

/** From the first value on: a year with two weeks of data shows two weeks. */
export function fromFirstValue(history: RoomHistory): RoomHistory {
  const first = history.times.findIndex((_, i) => history.temperature[i] != null || history.power[i] != null)
  return first <= 0 ? history : historyFrom(history, first)
}

/** Without the points before one of them. */
export function historyFrom(history: RoomHistory, first: number): RoomHistory {
  const rest = <T>(values: T[]) => values.slice(first)
  return {
    step_s: history.step_s,
    times: rest(history.times),
    temperature: rest(history.temperature),
    temperature_min: rest(history.temperature_min),
    temperature_max: rest(history.temperature_max),
    humidity: rest(history.humidity),
    dew_point: rest(history.dew_point),
    surface_humidity: rest(history.surface_humidity),
    target: rest(history.target),
    power: rest(history.power),
    outdoor: rest(history.outdoor),
  }
}
