import type { RoomHistory } from '@hypocaust/domain'
import { DAY_S } from '@hypocaust/domain/facts'
import type { Formats } from '../i18n/formats.ts'
import type { Translate } from '../i18n/translator.ts'

export type Series = 'temperature' | 'target' | 'power' | 'outdoor' | 'humidity'

/** What a chart shows at one moment, in words: of the series that are drawn, no other. */
export interface Moment {
  time: string
  values: { key: Series; value: string }[]
}

/** At a point, or at the latest one that has a temperature. */
export function momentIn(
  history: RoomHistory,
  index: number | null,
  { drawn, format, timeZone }: { drawn: Series[]; format: Formats; timeZone: string },
): Moment {
  const i = index ?? lastKnown(history)
  const atS = history.times[i]
  const name = history.step_s < DAY_S ? format.moment : format.date
  const shown = (key: Series) => {
    const value = history[key][i] ?? null
    if (value === null) return '–'
    if (key === 'power') return format.percent(value)
    return key === 'humidity' ? format.percent(value / 100) : `${format.degrees(value)}°`
  }
  return {
    time: atS === undefined ? '–' : name(atS * 1000, timeZone),
    values: drawn.map((key) => ({ key, value: shown(key) })),
  }
}

/** As a screen reader says it. */
export const momentInWords = ({ time, values }: Moment, t: Translate): string =>
  `${time}: ${values.map(({ key, value }) => `${t(`readout.${key}`)} ${value}`).join(', ')}`

/** By hand: `findLastIndex` is missing in browsers that can do everything else. */
function lastKnown({ temperature }: RoomHistory): number {
  let i = temperature.length - 1
  while (i >= 0 && temperature[i] === null) i--
  return i
}

/** From the first value on: a year with two weeks of data shows two weeks. */
export function fromFirstValue(history: RoomHistory): RoomHistory {
  const first = history.times.findIndex((_, i) => history.temperature[i] != null || history.power[i] != null)
  if (first <= 0) return history
  const rest = <T>(values: T[]) => values.slice(first)
  return {
    step_s: history.step_s,
    times: rest(history.times),
    temperature: rest(history.temperature),
    temperature_min: rest(history.temperature_min),
    temperature_max: rest(history.temperature_max),
    humidity: rest(history.humidity),
    target: rest(history.target),
    power: rest(history.power),
    outdoor: rest(history.outdoor),
  }
}
