import type { AppBuilding, AppRoom, RoomHistory } from '@hypocaust/domain'
import { DAY_S, HOUR_S } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { serviceNow, useNow } from '../api/now.ts'
import { historyQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { upToNow } from '../room/spans.ts'
import { Link } from '../routing/link.tsx'
import { areaOf, lineOf, rangeOf, ticksIn } from './strip-shapes.ts'

const WIDTH = 600
const HEIGHT = 56

/** Every room's day under the others': when it was warm, and when its floor was heated. */
export default function HouseStrips({ building }: { building: AppBuilding }) {
  const { t, format } = useWords()
  const { fromS, toS } = upToNow('day', useNow())
  const ticks = ticksIn(fromS, toS, 6 * HOUR_S, building.timezone)
  const left = (atS: number) => `${((atS - fromS) / (toS - fromS)) * 100}%`
  return (
    <section aria-label={t('strips.title')} className="card mt-6 space-y-1 p-4">
      <h2 className="pb-2 font-semibold">{t('strips.title')}</h2>
      <ul className="space-y-1">
        {building.rooms.map((room) => (
          <Strip key={room.id} room={room} ticks={ticks} fromS={fromS} />
        ))}
      </ul>
      <div aria-hidden="true" className="relative ml-44 h-5 text-xs text-soft">
        {ticks.map((atS) => (
          <span key={atS} className="absolute -translate-x-1/2" style={{ left: left(atS) }}>
            {format.clock(atS * 1000, building.timezone)}
          </span>
        ))}
      </div>
    </section>
  )
}

function Strip({ room, ticks, fromS }: { room: AppRoom; ticks: number[]; fromS: number }) {
  const { t, format } = useWords()
  const { data } = useQuery({
    ...historyQuery(room.id, 'day', () => upToNow('day', serviceNow())),
    refetchInterval: 300_000,
  })
  const range = data && rangeOf(data.temperature)
  return (
    <li className="flex items-center gap-4">
      <Link to="/rooms/$roomId" params={{ roomId: room.id }} className="w-40 min-w-0 rounded-lg py-1 hover:bg-sunken">
        <span className="block truncate font-medium">{room.name}</span>
        <span className="block text-sm tabular-nums text-soft">
          {range ? t('strips.range', { low: format.degrees(range.low), high: format.degrees(range.high) }) : '–'}
        </span>
      </Link>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-14 min-w-0 flex-1 rounded-lg bg-sunken"
      >
        {ticks.map((atS) => {
          const x = ((atS - fromS) / DAY_S) * WIDTH
          return <path key={atS} d={`M${x} 0V${HEIGHT}`} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
        })}
        {data && <Shapes history={data} />}
      </svg>
    </li>
  )
}

function Shapes({ history }: { history: RoomHistory }) {
  const size = { width: WIDTH, height: HEIGHT }
  return (
    <>
      <path d={areaOf(history.power, size)} fill="var(--warm)" opacity="0.55" />
      <path
        d={lineOf(history.temperature, size)}
        fill="none"
        stroke="var(--ink)"
        strokeWidth="2"
        vectorEffect="non-scaling-stroke"
      />
    </>
  )
}
