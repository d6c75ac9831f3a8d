import type { AppBuilding, AppRoom } from '@hypocaust/domain'
import { HOUR_MS, isDay, mayDo } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { standingOf } from '../alerts/standing.ts'
import { useNow } from '../api/now.ts'
import { alertsQuery, outlooksQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { withWords } from '../i18n/languages.ts'
import { RoomTile } from '../room/tile.tsx'
import { unfinishedRooms } from '../room/unfinished.ts'
import { houseInWords } from '../room/words.ts'
import { Link, type LinkProps } from '../routing/link.tsx'
import { AllRooms } from '../schedule/all-rooms.tsx'
import { AwayButton, AwayCard } from '../schedule/away.tsx'
import { LoopSearch } from '../setup/loop-search.tsx'
import { ButtonLink, Empty, PageTitle, Skeleton } from '../ui/basics.tsx'
import { Degrees } from '../ui/degrees.tsx'
import { Icon } from '../ui/icon.tsx'
import { part } from '../ui/part.tsx'
import { useIsWide } from '../ui/wide.ts'
import { PowerLimitCard } from './power-limit.tsx'

const HouseStrips = part(withWords(() => import('./strips.tsx')))

/** In pixels: a strip with the gap to the next, and what stands above and below all of them. */
const STRIP = { each: 60, around: 90 }

/** As high as the strips, so that nothing moves when they come. */
const StripsToCome = ({ rooms }: { rooms: number }) => (
  <div className="mt-6" style={{ height: rooms * STRIP.each + STRIP.around }}>
    <Skeleton className="h-full" />
  </div>
)

export function BuildingView({ building, back }: { building: AppBuilding; back?: LinkProps }) {
  const isWide = useIsWide()
  return (
    <>
      <div className="flex items-center justify-between gap-4 pt-2">
        <div className="min-w-0 flex-1">
          <PageTitle {...(back && { back })}>{building.name}</PageTitle>
        </div>
        <WeatherNow building={building} />
      </div>
      <div className="flex flex-wrap items-start gap-x-3">
        <div className="min-w-0 basis-full sm:flex-1 sm:basis-0">
          <Verdict building={building} />
        </div>
        <div className="basis-full sm:order-1">
          <AwayCard building={building} />
          <PowerLimitCard building={building} />
        </div>
        <div className="flex-1 sm:order-2 sm:basis-full">
          <AllRooms building={building} />
        </div>
        <div className="mb-2 empty:hidden">
          <AwayButton building={building} />
        </div>
      </div>
      <LoopSearch building={building} />
      <Rooms building={building} />
      {isWide && building.rooms.length > 0 && (
        <HouseStrips building={building} waiting={<StripsToCome rooms={building.rooms.length} />} />
      )}
    </>
  )
}

/** The first line answers: is the house all right? */
export function Verdict({ building, isNarrow = false }: { building: AppBuilding; isNarrow?: boolean }) {
  const words = useWords()
  const { t } = words
  const now = useNow()
  const alerts = useQuery(alertsQuery).data ?? []
  const { text, isWell } = houseInWords(building, alerts, now, words)
  const { urgent, reminders } = standingOf(alerts, building.id)
  return (
    <div className="mb-3 min-w-0 flex-1">
      <p className={`flex overflow-y-auto leading-6 ${isNarrow ? 'h-24' : 'h-18 sm:h-12 sm:text-lg'}`}>
        <span className="my-auto flex min-w-0 items-start gap-2">
          {!isWell && <Icon name="warning" className="mt-0.5 text-alert" />}
          <span className="min-w-0">
            <span role="status">{text}</span>{' '}
            {/* As high as a finger, without anything below its line that would make the sentence scroll. */}
            {urgent.length + reminders.length > 0 && (
              <Link to="/alerts" className="inline-block pt-4 -mt-4 font-semibold underline">
                {t('house.see_alerts')}
              </Link>
            )}
          </span>
        </span>
      </p>
      <Unfinished building={building} />
    </div>
  )
}

const MOST_NAMES = 3

/** Set-up is offered until every room can be measured and heated. */
function Unfinished({ building }: { building: AppBuilding }) {
  const { t } = useWords()
  const unfinished = unfinishedRooms(building)
  const isDone = building.available !== null && unfinished.length === 0
  if (building.rooms.length === 0 || isDone || !mayDo(building.role, 'set_up')) return null
  const names = unfinished.slice(0, MOST_NAMES).map(({ name }) => name)
  const rooms = names.join(', ') + (unfinished.length > MOST_NAMES ? ' …' : '')
  return (
    <div className="flex flex-wrap items-center gap-3">
      {unfinished.length > 0 && <p className="min-w-0">{t('setup.unfinished', { n: unfinished.length, rooms })}</p>}
      <ButtonLink to="/buildings/$buildingId/setup" params={{ buildingId: building.id }} look="main">
        {t('setup.go_on')}
      </ButtonLink>
    </div>
  )
}

export function Rooms({ building, chosenId }: { building: AppBuilding; chosenId?: string }) {
  const { t } = useWords()
  if (building.rooms.length === 0) {
    return (
      <Empty icon="door" title={t(building.available === null ? 'house.nothing_to_connect' : 'house.add_rooms')}>
        {mayDo(building.role, 'set_up') && (
          <ButtonLink to="/buildings/$buildingId/setup" params={{ buildingId: building.id }} look="main">
            {t('setup.go_on')}
          </ButtonLink>
        )}
      </Empty>
    )
  }
  const storeys = [...Map.groupBy(building.rooms, ({ storey }) => storey)]
  if (storeys.length === 1) return <RoomGrid building={building} rooms={building.rooms} chosenId={chosenId} />
  return storeys.map(([storey, rooms]) => (
    <section key={storey ?? ''} aria-label={storey ?? t('house.no_storey')}>
      <h2 className="pt-3 pb-2 font-semibold">{storey ?? t('house.no_storey')}</h2>
      <RoomGrid building={building} rooms={rooms} chosenId={chosenId} />
    </section>
  ))
}

interface RoomGridProps {
  building: AppBuilding
  rooms: AppRoom[]
  chosenId: string | undefined
}

function RoomGrid({ building, rooms, chosenId }: RoomGridProps) {
  const outlooks = useQuery(outlooksQuery(building.id)).data
  return (
    <ul
      className={`grid gap-3 ${chosenId ? '' : 'grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] sm:grid-cols-[repeat(auto-fill,minmax(16rem,1fr))]'}`}
    >
      {rooms.map((room) => (
        <li key={room.id} className="grid min-w-0">
          <RoomTile
            room={room}
            timeZone={building.timezone}
            outlook={outlooks?.[room.id]}
            isChosen={room.id === chosenId}
          />
        </li>
      ))}
    </ul>
  )
}

const CLOUDY_PCT = 50

/** A forecast older than this is no longer shown. */
const STALE_MS = 3 * HOUR_MS

function WeatherNow({ building: { weather, timezone, location } }: { building: AppBuilding }) {
  const { t, format } = useWords()
  const now = useNow()
  if (!weather) return null
  const updatedMs = Date.parse(weather.updated)
  if (now - updatedMs > STALE_MS) {
    return (
      <p className="text-right text-sm text-faint">
        {t('weather.old', {
          degrees: format.degrees(weather.temperature),
          time: format.since(updatedMs, now, timezone),
        })}
      </p>
    )
  }
  const isCloudy = weather.cloud_coverage >= CLOUDY_PCT
  return (
    <p className="flex items-center gap-2 text-xl text-soft">
      <span className="sr-only">
        {t(isCloudy ? 'weather.cloudy' : 'weather.clear', { degrees: format.degrees(weather.temperature) })}
      </span>
      <span aria-hidden="true">
        <Degrees celsius={weather.temperature} />
      </span>
      <Icon name={isCloudy ? 'cloud' : isDay(now, location) ? 'sun' : 'moon'} />
    </p>
  )
}
