import { type History, Moment, type RoomHistory, timestampOf } from '@hypocaust/domain'
import Type, { type Static } from 'typebox'
import { errors } from '../../../base/errors.ts'
import { momentOf, yearAfter } from '../../../house/moments.ts'
import type { HistorySpan } from '../../../house/readings/sensor-spans.ts'

const EXAMPLES = { from: '2026-01-09T00:00:00.000Z', to: '2026-01-10T00:00:00.000Z' }

export const HistoryQuery = Type.Object(
  {
    from: Moment('A time with its offset, `Z` for UTC; `+` is written `%2B` in an address.', EXAMPLES.from),
    to: Moment('The same, at most a year later.', EXAMPLES.to),
  },
  { additionalProperties: false },
)
export type HistoryQuery = Static<typeof HistoryQuery>

export function spanOf({ from, to }: HistoryQuery): HistorySpan {
  const span = { fromMs: momentOf('from', from), toMs: momentOf('to', to) }
  if (span.toMs <= span.fromMs) throw errors.invalidValue('to must be later than from.')
  if (span.toMs > yearAfter(span.fromMs)) throw errors.invalidValue('to must be within a year of from.')
  return span
}

/** The website's columns as points. */
export const historyView = (history: RoomHistory): History => ({
  step_s: history.step_s,
  points: history.times.map((time, i) => ({
    at: timestampOf(time * 1000),
    time: timestampOf(time * 1000),
    temperature: history.temperature[i] ?? null,
    humidity: history.humidity[i] ?? null,
    dew_point: history.dew_point[i] ?? null,
    surface_humidity: history.surface_humidity[i] ?? null,
    power: history.power[i] ?? null,
    setpoint: history.target[i] ?? null,
    outdoor_temperature: history.outdoor[i] ?? null,
  })),
})
