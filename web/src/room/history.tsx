import type { AppRoom, RoomHistory } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { BASE } from '../api/base.ts'
import { serviceNow, useNow } from '../api/now.ts'
import { historyQuery, planQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { AsOf } from '../ui/as-of.tsx'
import { Awaited } from '../ui/awaited.tsx'
import { Button, Skeleton } from '../ui/basics.tsx'
import { Segmented } from '../ui/controls.tsx'
import { Icon } from '../ui/icon.tsx'
import { part } from '../ui/part.tsx'
import type { Shown } from './chart.tsx'
import { isLongSpan } from './long-span.ts'
import { fromFirstValue, momentIn, momentInWords, plannedMoment } from './moment.ts'
import { indexAt, stepOf } from './moment-steps.ts'
import { historyWithin, measuredPart, planWithin, withinReach } from './plan-shown.ts'
import { Readout } from './readout.tsx'
import { SPANS, type Span, STEPS_S, upToNow, type View } from './spans.ts'

const HistoryChart = part(() => import('./chart.tsx'))

const LOOK_AGAIN_MS = 60_000

/** Keeps the place of everything around the chart while the data is on its way. */
const NOTHING_YET: RoomHistory = {
  step_s: 300,
  times: [],
  temperature: [],
  temperature_min: [],
  temperature_max: [],
  humidity: [],
  dew_point: [],
  surface_humidity: [],
  target: [],
  power: [],
  outdoor: [],
}

const EVERYTHING: View = { fromS: 0, toS: Number.POSITIVE_INFINITY }

export function History({ room, timeZone }: { room: AppRoom; timeZone: string }) {
  const { t, format } = useWords()
  const [span, setSpan] = useState<Span>('day')
  /** What was moved or zoomed to; until then the chart goes along with time. */
  const [chosen, setChosen] = useState<View>()
  const [cursor, setCursor] = useState<number | null>(null)
  const [shows, setShows] = useState<Shown>({ humidity: false, outdoor: false })
  const latest = upToNow(span, useNow())
  const view = chosen ?? latest
  const measurements = useQuery({
    ...historyQuery(room.id, chosen ? `${chosen.fromS}-${chosen.toS}` : span, () => {
      const now = upToNow(span, serviceNow())
      return chosen ? measuredPart(chosen, now, STEPS_S[span]) : now
    }),
    refetchInterval: view.toS < latest.toS ? false : LOOK_AGAIN_MS,
  })
  const { data } = measurements
  const look = (next: View | undefined) => {
    setChosen(next)
    setCursor(null)
  }
  const choose = (next: Span) => {
    setSpan(next)
    look(undefined)
  }
  const move = (direction: 1 | -1) => {
    const length = view.toS - view.fromS
    const toS = Math.min(view.toS + direction * length, latest.toS)
    look(toS === latest.toS && length === SPANS[span] ? undefined : { fromS: toS - length, toS })
  }
  const shown = useMemo(() => data && fromFirstValue(chosen ? historyWithin(data, chosen) : data), [data, chosen])
  const history = shown ?? NOTHING_YET
  const reachesPlan = span === 'day' && view.toS >= latest.toS
  const ahead = useQuery({ ...planQuery(room.id), enabled: reachesPlan }).data
  const plan = useMemo(
    () => (reachesPlan && ahead ? planWithin(ahead, chosen ?? EVERYTHING) : null),
    [ahead, reachesPlan, chosen],
  )
  const measured = history.times.length
  const beyond = (cursor ?? (measured === 0 ? 0 : -1)) - measured
  const moment =
    plan && beyond >= 0
      ? plannedMoment(plan, beyond, { format, timeZone })
      : momentIn(history, cursor, { drawn: drawnIn(history, shows), format, timeZone })
  const last = Math.max(0, measured - 1)
  const times = [...history.times, ...(plan?.times ?? [])]
  const isEmpty =
    !plan && data?.temperature.every((value) => value === null) && data.power.every((value) => value === null)
  const isZoomed = view.toS - view.fromS !== SPANS[span]
  const reset = () => look(undefined)
  const names: Record<Span, string> = {
    day: t('span.day'),
    week: t('span.week'),
    month: t('span.month'),
    year: t('span.year'),
  }
  return (
    <section aria-label={t('history.title')} className="card space-y-2 p-3 sm:p-4">
      <Segmented
        label={t('history.span')}
        value={span}
        choices={(Object.keys(SPANS) as Span[]).map((value) => ({ value, label: names[value] }))}
        onChange={choose}
      />
      {measurements.error && !data ? (
        <Awaited of={[measurements]} />
      ) : (
        <>
          <AsOf path={`/rooms/${room.id}/history`} timeZone={timeZone} />
          <Readout moment={moment} />
          {!data && <Skeleton className="h-72" />}
          {data && isEmpty && (
            <p className="flex h-72 items-center justify-center px-6 text-center text-soft">{t('history.empty')}</p>
          )}
          {data && !isEmpty && (
            <HistoryChart
              waiting={<Skeleton className="h-72" />}
              history={history}
              bandK={room.comfort_band}
              plan={plan}
              timeZone={timeZone}
              shows={shows}
              cursor={cursor}
              onCursor={setCursor}
              onZoom={(fromS, toS) => look(withinReach({ fromS, toS }, latest, span === 'day'))}
              onReset={reset}
            />
          )}
          <input
            type="range"
            aria-label={t('history.moment')}
            aria-valuetext={momentInWords(moment, t)}
            min={0}
            max={stepOf(times, times.length - 1)}
            disabled={!data}
            value={stepOf(times, cursor ?? last)}
            onChange={(event) => setCursor(indexAt(times, Number(event.target.value), cursor ?? last))}
            className={`moment ${shows.outdoor && hasOutdoor(history) ? 'moment-between-axes' : ''}`}
          />
          <Tools
            room={room}
            timeZone={timeZone}
            view={view}
            isLatest={view.toS >= latest.toS}
            shows={shows}
            onMove={move}
            onShow={setShows}
            hasOutdoor={hasOutdoor(history)}
            {...(isZoomed && { onReset: reset })}
          />
        </>
      )}
    </section>
  )
}

const hasOutdoor = ({ outdoor }: RoomHistory): boolean => outdoor.some((value) => value !== null)

/** What the chart draws is what the legend has. */
function drawnIn(history: RoomHistory, shows: Shown) {
  return [
    'temperature' as const,
    ...(isLongSpan(history) ? [] : (['target'] as const)),
    'power' as const,
    ...(shows.outdoor && hasOutdoor(history) ? (['outdoor'] as const) : []),
    ...(shows.humidity ? (['humidity', 'surface_humidity'] as const) : []),
  ]
}

interface ToolsProps {
  room: AppRoom
  timeZone: string
  view: View
  isLatest: boolean
  shows: Shown
  hasOutdoor: boolean
  onMove(direction: 1 | -1): void
  onShow(shows: Shown): void
  /** While zoomed. */
  onReset?(): void
}

function Tools({ room, timeZone, view, isLatest, shows, hasOutdoor, onMove, onShow, onReset }: ToolsProps) {
  const { t, format } = useWords()
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button className="px-3" onClick={() => onMove(-1)} aria-label={t('history.earlier')}>
        <Icon name="back" className="size-5" />
      </Button>
      <Button className="px-3" onClick={() => onMove(1)} aria-label={t('history.later')} disabled={isLatest}>
        <Icon name="next" className="size-5" />
      </Button>
      {onReset && <Button onClick={onReset}>{t('history.reset')}</Button>}
      {hasOutdoor && (
        <Button
          aria-pressed={shows.outdoor}
          onClick={() => onShow({ ...shows, outdoor: !shows.outdoor })}
          className="aria-pressed:bg-sunken aria-pressed:font-semibold"
        >
          {t('readout.outdoor')}
        </Button>
      )}
      <Button
        aria-pressed={shows.humidity}
        onClick={() => onShow({ ...shows, humidity: !shows.humidity })}
        className="aria-pressed:bg-sunken aria-pressed:font-semibold"
      >
        {t('history.humidity')}
      </Button>
      <a
        className="ml-auto inline-flex min-h-11 items-center gap-2 rounded-xl px-2 hover:bg-sunken sm:px-3"
        href={`${BASE}/app/rooms/${room.id}/history.csv?from=${view.fromS}&to=${view.toS}`}
        download={csvName(room.name, view, (atMs) => format.date(atMs, timeZone))}
        aria-label={t('history.csv')}
      >
        <Icon name="download" className="size-5" />
        {t('history.csv_short')}
      </a>
    </div>
  )
}

/** For example "Bathroom 14 Nov 2026 – 15 Nov 2026.csv". */
const csvName = (room: string, { fromS, toS }: View, dateOf: (atMs: number) => string): string =>
  `${room} ${dateOf(fromS * 1000)} – ${dateOf(toS * 1000)}.csv`
