import type { AppBuilding, BuildingPatch } from '@hypocaust/domain'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Problem, Section } from '../ui/basics.tsx'
import { Switch } from '../ui/controls.tsx'
import { useDeed } from '../ui/form.ts'

/** Where the heating control begins to protect pipes. */
const FROST_C = 5

/** What holds for the whole building: frost, saving and absence. */
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
        hint={t('care.frost_hint', { degrees: format.degrees(FROST_C) })}
        checked={building.frost_protection}
        onChange={(frost_protection) => change({ frost_protection })}
      />
      <Switch
        label={t('care.saving')}
        hint={t('care.saving_hint')}
        checked={building.saving}
        onChange={(saving) => change({ saving })}
      />
      {problem && <Problem>{problem}</Problem>}
    </Section>
  )
}
