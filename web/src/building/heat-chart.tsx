import type { RoomEnergy } from '@hypocaust/domain'
import { useWords } from '../i18n/index.tsx'
import type { HeatBar } from './heat-bars.ts'

/** At most so many names fit under the bars of a phone. */
const MOST_NAMES = 6

/** Of several rooms, the first is the deepest; amber is warmth and nothing else. */
export const shadeOf = (i: number, rooms: number): number => 1 - (0.75 * i) / Math.max(1, rooms)

interface Props {
  bars: HeatBar[]
  rooms: RoomEnergy[]
  /** Mean of each bar outdoors, where it is known. */
  outdoor: (number | null)[]
}

/** Heat by the day or month, rooms upon each other, and how cold it was outdoors as a line. */
export function HeatChart({ bars, rooms, outdoor }: Props) {
  const { t, format } = useWords()
  const most = Math.max(...bars.map(({ total }) => total), 0.001)
  const known = outdoor.filter((value) => value !== null)
  const [coldest, mildest] = [Math.min(...known), Math.max(...known)]
  const spanK = Math.max(4, mildest - coldest)
  const nameOf = (name: string) =>
    name.length === 7 ? format.month(Date.parse(`${name}-15`), 'UTC') : format.day(Date.parse(name), 'UTC')
  const every = Math.ceil(bars.length / MOST_NAMES)
  const points = outdoor.flatMap((value, i) =>
    value === null ? [] : [`${((i + 0.5) / bars.length) * 100},${90 - ((value - coldest) / spanK) * 70}`],
  )
  return (
    <figure>
      <div aria-hidden="true" className="relative h-40 lg:h-72">
        <div className="flex h-full items-end gap-px sm:gap-1">
          {bars.map(({ name, parts, total }) => (
            <div
              key={name}
              title={`${nameOf(name)}: ${format.decimal(total)} kWh`}
              className="flex h-full min-w-0 flex-1 flex-col justify-end overflow-hidden"
            >
              {parts.map((part, i) => (
                <div
                  key={rooms[i]?.id}
                  className="bg-warm last:rounded-b-sm"
                  style={{ height: `${(part / most) * 100}%`, opacity: shadeOf(i, parts.length) }}
                />
              ))}
              {total === 0 && <div className="h-px bg-line" />}
            </div>
          ))}
        </div>
        {points.length > 1 && (
          <svg
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            className="pointer-events-none absolute inset-0 size-full"
          >
            <title>{t('readout.outdoor')}</title>
            <polyline
              points={points.join(' ')}
              fill="none"
              stroke="var(--outdoor)"
              strokeWidth="2"
              strokeDasharray="2 4"
              vectorEffect="non-scaling-stroke"
            />
          </svg>
        )}
      </div>
      <div aria-hidden="true" className="flex pt-1 text-xs text-soft">
        {bars.map(({ name }, i) => (
          <span key={name} className="min-w-0 flex-1 overflow-visible whitespace-nowrap text-center tabular-nums">
            {i % every === 0 && nameOf(name)}
          </span>
        ))}
      </div>
      <figcaption className="flex flex-wrap gap-x-4 pt-2 text-sm text-soft">
        <span>{t('heat.bars', { most: format.decimal(most) })}</span>
        {points.length > 1 && (
          <span className="flex items-center gap-2">
            <span aria-hidden="true" className="w-4 border-t-2 border-dotted border-[var(--outdoor)]" />
            {t('heat.outdoor', { low: format.degrees(coldest), high: format.degrees(mildest) })}
          </span>
        )}
      </figcaption>
    </figure>
  )
}
