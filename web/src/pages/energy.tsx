import type { BuildingEnergy, HeatSource } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { BASE } from '../api/base.ts'
import { useBuilding } from '../api/buildings.ts'
import { api } from '../api/http.ts'
import { useNow } from '../api/now.ts'
import { efficiencyInWords } from '../building/efficiency-words.ts'
import { daysOf, ENERGY_SPANS, type EnergySpan } from '../building/energy-span.ts'
import { RoomBars } from '../building/room-bars.tsx'
import { SupplyNow } from '../building/supply-now.tsx'
import { useWords } from '../i18n/index.tsx'
import { Empty, PageSkeleton, PageTitle, Problem, Section, Skeleton } from '../ui/basics.tsx'
import { Segmented } from '../ui/controls.tsx'
import { useProblemText } from '../ui/form.ts'
import { Icon } from '../ui/icon.tsx'
import { localTimeOf } from '../ui/local-time.ts'
import { NotFoundPage } from './not-found.tsx'

/** What each room took, and what it cost. */
export default function EnergyPage() {
  const { t } = useWords()
  const { buildingId } = useParams({ from: '/buildings/$buildingId/energy' })
  const building = useBuilding(buildingId)
  const problem = useProblemText()
  const now = useNow()
  const [span, setSpan] = useState<EnergySpan>('month')
  const today = building ? localTimeOf(now, building.timezone).slice(0, 10) : ''
  const query = new URLSearchParams(daysOf(span, today)).toString()
  const energy = useQuery({
    queryKey: ['energy', buildingId, query],
    queryFn: () => api<BuildingEnergy>('GET', `/buildings/${buildingId}/energy?${query}`),
    enabled: today !== '',
  })
  if (building === null) return <NotFoundPage />
  if (!building) return <PageSkeleton />
  return (
    <div className="max-w-3xl space-y-4">
      <PageTitle back={{ to: '/buildings/$buildingId', params: { buildingId } }}>
        {t('heat.title', { building: building.name })}
      </PageTitle>
      <p className="text-soft">{t('heat.lead')}</p>
      <Segmented<EnergySpan>
        label={t('heat.span')}
        value={span}
        onChange={setSpan}
        choices={ENERGY_SPANS.map((each) => ({ value: each, label: t(`heat.${each}`) }))}
      />
      {energy.error && !energy.data && <Problem>{problem(energy.error)}</Problem>}
      {!energy.data && !energy.error && <Skeleton className="h-96" />}
      {energy.data && <Heat energy={energy.data} source={building.heat_source} />}
      <a
        className="inline-flex min-h-11 items-center gap-2 rounded-xl px-2 hover:bg-sunken"
        href={`${BASE}/app/buildings/${buildingId}/energy.csv?${query}`}
        download={`${t('heat.title', { building: building.name })}.csv`}
      >
        <Icon name="download" className="size-5" />
        {t('heat.csv')}
      </a>
      <SupplyNow buildingId={buildingId} />
    </div>
  )
}

function Heat({ energy, source }: { energy: BuildingEnergy; source: HeatSource | null }) {
  const { t, format } = useWords()
  const counted = energy.rooms.filter(({ days }) => days.length > 0)
  if (counted.length === 0) return <Empty icon="clock" title={t('heat.none')} />
  const { heat, heat_error, cost, metered_days, efficiency } = energy
  const lacksArea = counted.some(({ area_m2 }) => area_m2 === null)
  return (
    <>
      <Section title={t('heat.house')}>
        <p className="text-2xl font-semibold tabular-nums">
          {heat === null ? '–' : t('heat.about', { kwh: format.whole(heat), error: format.whole(heat_error ?? 0) })}
        </p>
        {cost !== null && <p>{t('heat.cost', { cost: format.money(cost) })}</p>}
        <p className="text-sm text-soft">
          {metered_days > 0 ? t('heat.metered', { n: metered_days }) : t('heat.unmetered')}
        </p>
        {efficiency && <p className="text-sm text-soft">{efficiencyInWords(efficiency, source, { t, format })}</p>}
      </Section>
      <Section title={t('heat.rooms')}>
        <RoomBars rooms={counted} />
        {lacksArea && <p className="text-sm text-soft">{t('heat.no_area')}</p>}
        <p className="text-sm text-soft">{t('heat.no_bill')}</p>
      </Section>
    </>
  )
}
