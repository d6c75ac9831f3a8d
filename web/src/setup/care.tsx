import type { AppBuilding, BuildingPatch } from '@hypocaust/domain'
import { COMFORTS, FROST, mayDo } from '@hypocaust/domain/facts'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Problem, Section } from '../ui/basics.tsx'
import { Segmented, Switch } from '../ui/controls.tsx'
import { useDeed } from '../ui/form.ts'

/** What holds for the whole building: frost protection and how firmly rooms are held. */
export function Care({ building }: { building: AppBuilding }) {
  const { t, format } = useWords()
  const { problem, run } = useDeed()
  const change = (patch: BuildingPatch) =>
    run(async () => {
      await api<AppBuilding>('PATCH', `/buildings/${building.id}`, patch)
      await queryClient.invalidateQueries({ queryKey: buildingsKey })
    })
  return (
    <Section title={t('care.title')}>
      <Switch
        label={t('care.frost')}
        hint={t('care.frost_hint', { degrees: format.degrees(FROST.belowC) })}
        checked={building.frost_protection}
        onChange={(frost_protection) => change({ frost_protection })}
      />
      {mayDo(building.role, 'plan') && (
        <div className="space-y-1">
          <p className="font-medium">{t('comfort.title')}</p>
          <Segmented
            label={t('comfort.title')}
            value={building.comfort}
            choices={COMFORTS.map((value) => ({ value, label: t(`comfort.${value}`) }))}
            onChange={(comfort) => change({ comfort })}
          />
          <p className="text-sm text-soft">{t(`comfort.${building.comfort}_hint`)}</p>
        </div>
      )}
      {problem && <Problem>{problem}</Problem>}
    </Section>
  )
}
