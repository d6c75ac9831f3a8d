import type { RoomHistory } from '@hypocaust/domain'
import { DAY_S } from '@hypocaust/domain/facts'

export const LONG_SPAN_S = 10 * DAY_S

/** Over weeks the nightly steps of the setpoint are a fence; the shaded band tells enough. */
export const isLongSpan = ({ times }: RoomHistory): boolean =>
  (times[times.length - 1] ?? 0) - (times[0] ?? 0) > LONG_SPAN_S
