import type { AppBuilding, HotWaterSettings } from '@hypocaust/domain'
import { DISINFECTION_C, HOT_WATER_C, leastTank, PEOPLE, TANK_L, TAP_C, WEEKDAYS } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Problem, Section } from '../ui/basics.tsx'
import { Switch } from '../ui/controls.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { CountField, DegreesField } from '../ui/number-field.tsx'
import { TimeField } from '../ui/time-field.tsx'
import { say } from '../ui/toast.tsx'
import { HotWaterState } from './hot-water-state.tsx'

const USUAL: HotWaterSettings = {
  volume_l: 200,
  temperature: HOT_WATER_C.usual,
  tap_temperature: TAP_C.usual,
  people: PEOPLE.usual,
  times: [],
  disinfection: DISINFECTION_C.minimum,
}
const EVERY_DAY = { days: [...WEEKDAYS], from: '06:00', to: '22:00' }

/** The tank that the heat source of a building heats: what is chosen, and what it does now. */
export function HotWaterSetUp({ building }: { building: AppBuilding }) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const { settings } = building.hot_water
  const [draft, setDraft] = useState(settings)
  const save = async () => {
    const isSaved = await run(async () => {
      await api<AppBuilding>('PATCH', `/buildings/${building.id}`, { hot_water: draft })
      await queryClient.invalidateQueries({ queryKey: buildingsKey })
    })
    if (isSaved) say({ text: t('hot_water.saved') })
  }
  return (
    <Section title={t('hot_water.title')}>
      <HotWaterState building={building} />
      <Form onSubmit={save}>
        <Switch
          label={t('hot_water.plan')}
          hint={t('hot_water.plan_hint')}
          checked={draft !== null}
          onChange={(isOn) => setDraft(isOn ? (settings ?? USUAL) : null)}
        />
        {draft && <Figures tank={draft} onChange={(next) => setDraft(hotEnough(next))} />}
        {JSON.stringify(draft) !== JSON.stringify(settings) && (
          <Button look="main" type="submit" disabled={isBusy}>
            {t('hot_water.save')}
          </Button>
        )}
      </Form>
      {problem && <Problem>{problem}</Problem>}
    </Section>
  )
}

/** A choice that needs a hotter tank makes it hotter. */
const hotEnough = (tank: HotWaterSettings): HotWaterSettings => ({
  ...tank,
  temperature: Math.max(tank.temperature, leastTank(tank).leastC),
})

interface FiguresProps {
  tank: HotWaterSettings
  onChange(tank: HotWaterSettings): void
}

function Figures({ tank, onChange }: FiguresProps) {
  const { t, format } = useWords()
  const unit = format.unitName
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <CountField
          label={t('hot_water.volume')}
          min={TANK_L.minimum}
          max={TANK_L.maximum}
          step={10}
          value={tank.volume_l}
          onChange={(volume_l) => onChange({ ...tank, volume_l })}
        />
        <CountField
          label={t('hot_water.people')}
          min={PEOPLE.minimum}
          max={PEOPLE.maximum}
          step={1}
          value={tank.people}
          onChange={(people) => onChange({ ...tank, people: Math.round(people) })}
        />
      </div>
      <DegreesField
        label={t('hot_water.tap_temperature', { unit })}
        hint={t('hot_water.tap_temperature_hint')}
        value={tank.tap_temperature}
        min={TAP_C.minimum}
        max={TAP_C.maximum}
        step={1}
        onChange={(tap_temperature) => onChange({ ...tank, tap_temperature })}
      />
      <DegreesField
        label={t('hot_water.temperature', { unit })}
        hint={t('hot_water.temperature_hint', { degrees: format.degrees(leastTank(tank).leastC) })}
        value={tank.temperature}
        min={leastTank(tank).leastC}
        max={HOT_WATER_C.maximum}
        step={1}
        onChange={(temperature) => onChange({ ...tank, temperature })}
      />
      <Switch
        label={t('hot_water.disinfection')}
        hint={t('hot_water.disinfection_hint')}
        checked={tank.disinfection !== null}
        onChange={(isOn) => onChange({ ...tank, disinfection: isOn ? DISINFECTION_C.minimum : null })}
      />
      {tank.disinfection !== null && (
        <DegreesField
          label={t('hot_water.disinfection_temperature', { unit })}
          value={tank.disinfection}
          min={DISINFECTION_C.minimum}
          max={DISINFECTION_C.maximum}
          step={1}
          onChange={(disinfection) => onChange({ ...tank, disinfection })}
        />
      )}
      <Times tank={tank} onChange={onChange} />
    </>
  )
}

/** One time for every day; several are set through the interface, and stay as they are. */
function Times({ tank, onChange }: FiguresProps) {
  const { t } = useWords()
  const [time, ...others] = tank.times
  const isSimple = others.length === 0 && (time?.days.length ?? WEEKDAYS.length) === WEEKDAYS.length
  if (!isSimple) return <p className="text-sm text-soft">{t('hot_water.several_times', { n: tank.times.length })}</p>
  return (
    <>
      <Switch
        label={t('hot_water.always')}
        hint={t('hot_water.always_hint')}
        checked={time === undefined}
        onChange={(isAlways) => onChange({ ...tank, times: isAlways ? [] : [EVERY_DAY] })}
      />
      {time && (
        <div className="grid grid-cols-2 gap-3">
          {(['from', 'to'] as const).map((end) => (
            <TimeField
              key={end}
              label={t(`hot_water.${end}`)}
              value={time[end]}
              complaint={time.from === time.to ? t('hot_water.times_differ') : undefined}
              onChange={(clock) => onChange({ ...tank, times: [{ ...time, [end]: clock }] })}
            />
          ))}
        </div>
      )}
    </>
  )
}
