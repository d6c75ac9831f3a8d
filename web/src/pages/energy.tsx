import type { AppBuilding, BuildingEnergy } from '@hypocaust/domain'
import { mayDo } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BASE } from '../api/base.ts'
import { useBuilding } from '../api/buildings.ts'
import { api } from '../api/http.ts'
import { useNow } from '../api/now.ts'
import { historyQuery } from '../api/queries.ts'
import { bestSaving } from '../building/best-saving.ts'
import { efficiencyInWords } from '../building/efficiency-words.ts'
import { daysOf, ENERGY_SPANS, type EnergySpan } from '../building/energy-span.ts'
import { FlexibilityCard } from '../building/flexibility.tsx'
import { barsOf, comparedTo } from '../building/heat-bars.ts'
import { HeatChart } from '../building/heat-chart.tsx'
import { outdoorIn, secondsOf } from '../building/outdoor-days.ts'
import { RoomBars } from '../building/room-bars.tsx'
import { RoomSavings } from '../building/room-savings.tsx'
import { SupplyNow } from '../building/supply-now.tsx'
import { useWords } from '../i18n/index.tsx'
import { Link } from '../routing/link.tsx'
import { useParam } from '../routing/route.ts'
import { Awaited, PageSkeleton } from '../ui/awaited.tsx'
import { ButtonLink, Empty, PageTitle, Section, Skeleton } from '../ui/basics.tsx'
import { Segmented } from '../ui/controls.tsx'
import { Icon } from '../ui/icon.tsx'
import { localTimeOf } from '../ui/local-time.ts'
import { NotFoundPage } from './not-found.tsx'

/** What each room took, and what it cost. */
export default function EnergyPage() {
  const { t } = useWords()
  const buildingId = useParam('buildingId')
  const building = useBuilding(buildingId)
  const now = useNow()
  const [span, setSpan] = useState<EnergySpan>('month')
  const today = building ? localTimeOf(now, building.timezone).slice(0, 10) : ''
  const query = new URLSearchParams(daysOf(span, today)).toString()
  const energy = useQuery({
    queryKey: ['energy', buildingId, query],
    queryFn: () => api<BuildingEnergy>('GET', `/buildings/${buildingId}/energy?${query}`),
    enabled: today !== '',
  })
  const before = useQuery({
    queryKey: ['energy', buildingId, 'before', query],
    queryFn: () => {
      const days = new URLSearchParams(daysOf('last_month', today)).toString()
      return api<BuildingEnergy>('GET', `/buildings/${buildingId}/energy?${days}`)
    },
    enabled: today !== '' && span === 'month',
  }).data
  if (building === null) return <NotFoundPage />
  if (!building) return <PageSkeleton />
  return (
    <div className="space-y-4">
      <PageTitle back={{ to: '/buildings/$buildingId', params: { buildingId } }}>{t('building.energy')}</PageTitle>
      <div className="max-w-xl">
        <Segmented<EnergySpan>
          label={t('heat.span')}
          value={span}
          onChange={setSpan}
          choices={ENERGY_SPANS.map((each) => ({ value: each, label: t(`heat.${each}`) }))}
        />
      </div>
      <Awaited of={[energy]}>
        <Skeleton className="h-96" />
      </Awaited>
      {energy.data && <Heat energy={energy.data} before={span === 'month' ? before : undefined} building={building} />}
      <SupplyNow buildingId={buildingId} />
      <FlexibilityCard building={building} />
      {energy.data?.rooms.some(({ days }) => days.length > 0) && (
        <a
          className="inline-flex min-h-11 items-center gap-2 rounded-xl px-2 hover:bg-sunken"
          href={`${BASE}/app/buildings/${buildingId}/energy.csv?${query}`}
          download={`${t('heat.title', { building: building.name })}.csv`}
        >
          <Icon name="download" className="size-5" />
          {t('heat.csv')}
        </a>
      )}
    </div>
  )
}

interface HeatProps {
  energy: BuildingEnergy
  before: BuildingEnergy | undefined
  building: AppBuilding
}

function Heat({ energy, before, building }: HeatProps) {
  const { t, format } = useWords()
  const now = useNow()
  const rooms = energy.rooms.filter(({ days }) => days.length > 0).toSorted((a, b) => (b.heat ?? 0) - (a.heat ?? 0))
  const outdoorOf = useOutdoor(building, energy)
  const isPriceMissing = building.tariff === null && mayDo(building.role, 'set_up')
  if (rooms.length === 0) {
    return (
      <Empty icon="flame" title={t('heat.none')}>
        {isPriceMissing && (
          <ButtonLink to="/buildings/$buildingId/settings" params={{ buildingId: building.id }}>
            {t('heat.add_price')}
          </ButtonLink>
        )}
      </Empty>
    )
  }
  const { heat, heat_low: low, heat_high: high, cost, currency, metered_days, efficiency } = energy
  const bars = barsOf(energy, rooms)
  const change = comparedTo(energy, before)
  const best = bestSaving(rooms, { t, format })
  const from = energy.counted_from ?? energy.from
  const until = format.since(Date.parse(energy.counted_until ?? ''), now, building.timezone)
  return (
    <div className="gap-4 space-y-4 lg:grid lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:items-start lg:space-y-0">
      <section aria-label={t('heat.house')} className="card space-y-4 p-4 sm:p-5">
        <div className="flex flex-wrap items-baseline gap-x-6 gap-y-1">
          <p className="text-4xl font-light tabular-nums">
            {heat === null ? '–' : format.energy(heat)} <span className="text-lg">{t('unit.kwh')}</span>{' '}
            {low !== null && high !== null && (
              <span className="text-lg text-soft">
                {t('heat.range', { low: format.energy(low), high: format.energy(high) })}
              </span>
            )}
          </p>
          {cost !== null && <p className="text-4xl font-light tabular-nums">{format.money(cost, currency)}</p>}
        </div>
        {isPriceMissing && (
          <p>
            <Link to={`/buildings/${building.id}/settings`} className="inline-flex min-h-11 items-center underline">
              {t('heat.add_price')}
            </Link>
          </p>
        )}
        {building.tariff !== null && cost === null && <p className="text-sm text-soft">{t('heat.cost_later')}</p>}
        {change !== null && (
          <p>{t(change < 0 ? 'heat.less' : 'heat.more', { percent: format.percent(Math.abs(change)) })}</p>
        )}
        {bars.length > 1 && <HeatChart bars={bars} rooms={rooms} outdoor={bars.map(({ name }) => outdoorOf(name))} />}
        <p className="text-sm text-soft">
          {t('heat.counted', { from: format.date(Date.parse(from), 'UTC'), until })} {t('heat.range_means')}{' '}
          {metered_days > 0 ? t('heat.metered', { n: metered_days }) : t('heat.unmetered')}
        </p>
        {efficiency && (
          <p className="text-sm text-soft">{efficiencyInWords(efficiency, building.heat_source, { t, format })}</p>
        )}
      </section>
      <div className="space-y-4">
        {best && (
          <section aria-label={t('heat.best')} className="card p-4 sm:p-5">
            <h2 className="text-sm text-soft">{t('heat.best')}</h2>
            <p className="text-lg font-medium">{best}</p>
          </section>
        )}
        <Section title={t('heat.rooms')}>
          <RoomBars rooms={rooms} currency={currency} />
          <RoomSavings rooms={rooms} />
          {rooms.some(({ area_m2 }) => area_m2 === null) && <p className="text-sm text-soft">{t('heat.no_area')}</p>}
          <p className="text-sm text-soft">{t('heat.no_bill')}</p>
        </Section>
      </div>
    </div>
  )
}

/** How cold it was on a day, or in a month, by what the heating control went by. */
function useOutdoor({ rooms: [room], timezone }: AppBuilding, days: BuildingEnergy): (name: string) => number | null {
  const span = secondsOf(days, timezone)
  const { data } = useQuery({
    ...historyQuery(room?.id ?? '', `${span.fromS}-${span.toS}`, () => span),
    enabled: room !== undefined,
  })
  return (name) => (data ? outdoorIn(name, data, timezone) : null)
}
