import type { AppBuilding, CoolingSettings } from '@hypocaust/domain'
import { CHANGEOVER_C, CHANGEOVERS, SEASONS } from '@hypocaust/domain/facts'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Problem, Section } from '../ui/basics.tsx'
import { Segmented } from '../ui/controls.tsx'
import { useDeed } from '../ui/form.ts'
import { DegreesField } from '../ui/number-field.tsx'

const HEATS: CoolingSettings = {
  season: 'heating',
  changeover: { by: 'outdoor', cooling_above: CHANGEOVER_C.cooling, heating_below: CHANGEOVER_C.heating },
}

/** The season of a building whose source can cool; what rooms are cooled to is set in each room. */
export function CoolingSetUp({ building }: { building: AppBuilding }) {
  const { t } = useWords()
  const { problem, run } = useDeed()
  const cooling = building.cooling ?? HEATS
  const change = (patch: Partial<CoolingSettings>) =>
    run(async () => {
      await api<AppBuilding>('PATCH', `/buildings/${building.id}`, { cooling: { ...cooling, ...patch } })
      await queryClient.invalidateQueries({ queryKey: buildingsKey })
    })
  const changeover = (patch: Partial<CoolingSettings['changeover']>) =>
    change({ changeover: { ...cooling.changeover, ...patch } })
  return (
    <Section title={t('cooling.title')}>
      <p className="text-sm text-soft">{t(`cooling.now_${building.season}`)}</p>
      <Segmented
        label={t('cooling.season')}
        value={cooling.season}
        choices={SEASONS.map((value) => ({ value, label: t(`cooling.season_${value}`) }))}
        onChange={(season) => change({ season })}
      />
      {cooling.season === 'automatic' && (
        <Segmented
          label={t('cooling.changeover')}
          value={cooling.changeover.by}
          choices={CHANGEOVERS.map((value) => ({ value, label: t(`cooling.by_${value}`) }))}
          onChange={(by) => changeover({ by })}
        />
      )}
      {cooling.season === 'automatic' && cooling.changeover.by === 'outdoor' && (
        <OutdoorLimits changeover={cooling.changeover} onChange={changeover} />
      )}
      <p className="text-sm text-soft">{t('cooling.rooms_hint')}</p>
      {problem && <Problem>{problem}</Problem>}
    </Section>
  )
}

interface LimitsProps {
  changeover: CoolingSettings['changeover']
  onChange(patch: Partial<CoolingSettings['changeover']>): void
}

function OutdoorLimits({ changeover: { cooling_above, heating_below }, onChange }: LimitsProps) {
  const { t, format } = useWords()
  const { minimum, maximum } = CHANGEOVER_C
  return (
    <>
      <DegreesField
        label={t('cooling.cooling_above', { unit: format.unitName })}
        hint={t('cooling.limits_hint')}
        value={cooling_above}
        min={heating_below + 1}
        max={maximum}
        step={1}
        onChange={(above) => onChange({ cooling_above: above })}
      />
      <DegreesField
        label={t('cooling.heating_below', { unit: format.unitName })}
        value={heating_below}
        min={minimum}
        max={cooling_above - 1}
        step={1}
        onChange={(below) => onChange({ heating_below: below })}
      />
    </>
  )
}
