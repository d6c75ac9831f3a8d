import type { AppBuilding, BuildingFlexibility } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { flexibilityQuery } from '../api/flexibility.ts'
import { useNow } from '../api/now.ts'
import { useWords } from '../i18n/index.tsx'
import { Section } from '../ui/basics.tsx'

/** Of the durations on offer, the one that people imagine most easily. */
const SHOWN_MINUTES = 90
const SHOWN_LIMITS = 3

/** What the house can do for the grid, and what it has done; only where it is known how much its heat source takes. */
export function FlexibilityCard({ building }: { building: AppBuilding }) {
  const { t } = useWords()
  const { data } = useQuery({ ...flexibilityQuery(building.id), enabled: building.heat_source !== null })
  if (!data || data.power_unknown !== null) return null
  return (
    <Section title={t('flexibility.title')}>
      <Offers offers={data.offers} />
      <p className="text-sm text-soft">{t('flexibility.intro')}</p>
      <Limits record={data.record} timeZone={building.timezone} />
    </Section>
  )
}

function Offers({ offers }: Pick<BuildingFlexibility, 'offers'>) {
  const { t, format } = useWords()
  const shown = offers.filter(({ minutes, power_w }) => minutes === SHOWN_MINUTES && (power_w ?? 0) > 0)
  if (shown.length === 0) return <p>{t('flexibility.none')}</p>
  return shown.map(({ direction, minutes, power_w, kelvin_hours, temperature_change }) => (
    <p key={direction}>
      {t(`flexibility.${direction}`, {
        power: format.decimal((power_w ?? 0) / 1000),
        minutes,
        kh: format.decimal(kelvin_hours),
        kelvin: format.kelvin(temperature_change),
      })}
    </p>
  ))
}

function Limits({ record, timeZone }: Pick<BuildingFlexibility, 'record'> & { timeZone: string }) {
  const { t, format } = useWords()
  const now = useNow()
  return record.slice(0, SHOWN_LIMITS).map((limit) => {
    const { from, until, withdrawn, promised_kwh, delivered_kwh } = limit
    const kind = withdrawn ? 'withdrawn' : delivered_kwh === null ? 'promised' : 'counted'
    const values = {
      from: format.since(Date.parse(from), now, timeZone),
      until: format.until(Date.parse(until), now, timeZone),
      promised: format.decimal(promised_kwh ?? 0),
      delivered: format.decimal(delivered_kwh ?? 0),
    }
    return (
      <p key={limit.promised_at} className="text-sm text-soft">
        {t(`flexibility.${kind}`, values)}
      </p>
    )
  })
}
