import type { RoomEnergy } from '@hypocaust/domain'
import { useWords } from '../i18n/index.tsx'
import { shadeOf } from './heat-chart.tsx'

/** Each room's heat as a bar, with the part that is uncertain paler. Without areas, by the square metre. */
export function RoomBars({ rooms, currency }: { rooms: RoomEnergy[]; currency: string | null }) {
  const { t, format } = useWords()
  const isByArea = rooms.every(({ heat }) => heat === null)
  const sizeOf = ({ heat, heat_per_m2 }: RoomEnergy) => (isByArea ? (heat_per_m2 ?? 0) : (heat ?? 0))
  const rangeOf = (room: RoomEnergy) => {
    const size = sizeOf(room)
    return isByArea ? { low: size, high: size } : { low: room.heat_low ?? size, high: room.heat_high ?? size }
  }
  const most = Math.max(...rooms.map((room) => rangeOf(room).high), 0.001)
  const sorted = rooms.toSorted((a, b) => sizeOf(b) - sizeOf(a))
  const width = (value: number) => `${Math.max(0, (100 * value) / most)}%`
  return (
    <ul className="space-y-3">
      {sorted.map((room) => {
        const { low, high } = rangeOf(room)
        const range = t('heat.range', { low: format.energy(low), high: format.energy(high) })
        return (
          <li key={room.id} className="space-y-1">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="flex min-w-0 items-center gap-2 font-medium">
                <span
                  aria-hidden="true"
                  className="size-3 shrink-0 rounded-sm bg-warm"
                  style={{ opacity: shadeOf(rooms.indexOf(room), rooms.length) }}
                />
                <span className="min-w-0">{room.name}</span>
              </span>
              <span className="text-sm tabular-nums">
                {room.heat !== null
                  ? t('heat.about', { kwh: format.energy(room.heat), range })
                  : room.heat_per_m2 === null
                    ? '–'
                    : t('heat.per_m2', { kwh: format.decimal(room.heat_per_m2) })}
                {room.share !== null && ` · ${format.percent(room.share)}`}
                {room.cost !== null && ` · ${format.money(room.cost, currency)}`}
              </span>
            </div>
            {(isByArea || room.heat !== null) && (
              <div className="flex h-3 overflow-hidden rounded-full bg-sunken" aria-hidden="true">
                <div className="bg-warm" style={{ width: width(low) }} />
                <div className="bg-warm opacity-50" style={{ width: width(high - low) }} />
              </div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
