import type { AppBuilding, BuildingPatch } from '@hypocaust/domain'
import { mayDo } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { heatSourceQuery } from '../api/heat-source.ts'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Problem, Section } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { HeatSourceForm } from './heat-source.tsx'
import { TariffForm } from './tariff.tsx'

/** What makes the heat and what it costs. */
export function EnergySetUp({ building }: { building: AppBuilding }) {
  const { t } = useWords()
  const { problem, run, isBusy } = useDeed()
  const now = useQuery(heatSourceQuery(building.id)).data
  const change = (patch: BuildingPatch) =>
    run(async () => {
      await api<AppBuilding>('PATCH', `/buildings/${building.id}`, patch)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: buildingsKey }),
        queryClient.invalidateQueries(heatSourceQuery(building.id)),
      ])
    })
  return (
    <Section title={t('energy.title')}>
      <p className="text-sm text-soft">{t('energy.hint')}</p>
      <HeatSourceForm
        key={`source ${JSON.stringify(building.heat_source)}`}
        source={building.heat_source}
        isBusy={isBusy}
        onSave={(heat_source) => change({ heat_source })}
      />
      {mayDo(building.role, 'plan') && (
        <div className="border-t border-line pt-4">
          <TariffForm
            key={`tariff ${JSON.stringify(building.tariff)}`}
            tariff={building.tariff}
            isBusy={isBusy}
            onSave={(tariff) => change({ tariff })}
          />
        </div>
      )}
      {now?.lacks_prices && <p className="text-sm text-soft">{t('tariff.no_prices')}</p>}
      {problem && <Problem>{problem}</Problem>}
    </Section>
  )
}
