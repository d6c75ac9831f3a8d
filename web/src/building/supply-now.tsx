import { useQuery } from '@tanstack/react-query'
import { heatSourceQuery } from '../api/heat-source.ts'
import { useWords } from '../i18n/index.tsx'
import { Section } from '../ui/basics.tsx'
import { supplyInWords } from './supply-words.ts'

/** How warm the water is, and which room needs it so. Nothing where nothing is known of it. */
export function SupplyNow({ buildingId }: { buildingId: string }) {
  const { t, format } = useWords()
  const { data } = useQuery(heatSourceQuery(buildingId))
  if (!data?.supply) return null
  const { supply } = data
  const figures = [
    supply.set === null
      ? { label: t('supply.needed'), celsius: supply.wanted }
      : { label: t('supply.asked'), celsius: supply.set },
    { label: t('supply.measured'), celsius: supply.measured },
    ...supply.circuits.map(({ rooms, wanted, set }) => ({
      label: format.list(rooms.map(({ name }) => name)),
      celsius: set ?? wanted,
    })),
  ].flatMap(({ label, celsius }) => (celsius === null ? [] : [{ label, celsius }]))
  return (
    <Section title={t('supply.title')}>
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        {figures.map(({ label, celsius }) => (
          <div key={label}>
            <dt className="text-sm text-soft">{label}</dt>
            <dd className="text-2xl font-semibold tabular-nums">{format.degrees(celsius)}°</dd>
          </div>
        ))}
      </dl>
      {supplyInWords({ ...data, supply }, t, format).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Section>
  )
}
