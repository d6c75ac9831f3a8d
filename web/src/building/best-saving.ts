import type { RoomEnergy } from '@hypocaust/domain'
import type { Wording } from '../i18n/formats.ts'

const HALF_DEGREE_K = 0.5

interface Candidate {
  room: RoomEnergy
  kind: 'cooler' | 'night'
  percent: number
  error: number
  kwh: number
}

/** The one change that would save most heat; undefined where none is sure to save any. */
export function bestSaving(rooms: RoomEnergy[], { t, format }: Wording): string | undefined {
  const candidates = rooms.flatMap((room): Candidate[] => {
    const { savings, heat } = room
    if (!savings || heat === null) return []
    const changes = [
      { kind: 'cooler' as const, saved: savings.half_degree_less },
      ...(savings.setback_hour_earlier ? [{ kind: 'night' as const, saved: savings.setback_hour_earlier }] : []),
    ]
    return changes.flatMap(({ kind, saved: { percent, plus_minus: error } }) =>
      percent > error ? [{ room, kind, percent, error, kwh: (heat * percent) / 100 }] : [],
    )
  })
  const [best] = candidates.toSorted((a, b) => b.kwh - a.kwh)
  if (!best) return undefined
  const { room, kind, percent, error } = best
  const targetC = room.savings?.target_temperature ?? 0
  return t(`heat.best_${kind}`, {
    room: room.name,
    degrees: format.degrees(targetC - HALF_DEGREE_K),
    percent: format.decimal(percent),
    error: format.decimal(error),
  })
}
