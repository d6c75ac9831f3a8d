import type { AppBuilding, BuildingPatch, HeatSource } from '@hypocaust/domain'
import { HEAT_SOURCES, mayDo } from '@hypocaust/domain/facts'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Problem, Section, Select } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { TariffForm } from './tariff.tsx'

/** What makes the heat and what it costs. */
export function EnergySetUp({ building }: { building: AppBuilding }) {
  const { t } = useWords()
  const { problem, run, isBusy } = useDeed()
  const change = (patch: BuildingPatch) =>
    run(async () => {
      await api<AppBuilding>('PATCH', `/buildings/${building.id}`, patch)
      await queryClient.invalidateQueries({ queryKey: buildingsKey })
    })
  return (
    <Section title={t('energy.title')}>
      <p className="text-sm text-soft">{t('energy.hint')}</p>
      <Select
        label={t('heat_source.label')}
        value={building.heat_source?.kind ?? ''}
        onChange={({ target }) => change({ heat_source: sourceOf(target.value) })}
      >
        <option value="">{t('energy.unknown')}</option>
        {HEAT_SOURCES.map((kind) => (
          <option key={kind} value={kind}>
            {t(`heat_source.${kind}`)}
          </option>
        ))}
      </Select>
      {mayDo(building.role, 'plan') && (
        <TariffForm
          key={JSON.stringify(building.tariff)}
          tariff={building.tariff}
          isBusy={isBusy}
          onSave={(tariff) => change({ tariff })}
        />
      )}
      {problem && <Problem>{problem}</Problem>}
    </Section>
  )
}

const sourceOf = (kind: string): HeatSource | null => (kind === '' ? null : { kind: kind as HeatSource['kind'] })
