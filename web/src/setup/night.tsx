import type { NightMode } from '@hypocaust/domain'
import { SETBACK_K } from '@hypocaust/domain/facts'
import { useWords } from '../i18n/index.tsx'
import { Section } from '../ui/basics.tsx'
import { Switch } from '../ui/controls.tsx'
import { KelvinField } from '../ui/number-field.tsx'
import { TimeField } from '../ui/time-field.tsx'

const USUAL_NIGHT: NightMode = { from: '22:30', to: '05:30', setback: 2 }
const USUAL_WEEKEND = { from: '23:30', to: '07:00' }

type Times = Pick<NightMode, 'from' | 'to'>

/** Cooler at night, with times of its own at the weekend where wished. */
export function Night({ night, onChange }: { night: NightMode | null; onChange(night: NightMode | null): void }) {
  const { t } = useWords()
  return (
    <Section title={t('night.title')}>
      <Switch
        label={t('night.on')}
        hint={t('night.hint')}
        checked={night !== null}
        onChange={(isOn) => onChange(isOn ? USUAL_NIGHT : null)}
      />
      {night && <NightTimes night={night} onChange={onChange} />}
    </Section>
  )
}

function NightTimes({ night, onChange }: { night: NightMode; onChange(night: NightMode): void }) {
  const { t, format } = useWords()
  const { weekend, ...weekdays } = night
  return (
    <>
      <KelvinField
        label={t('night.setback', { unit: format.unitName })}
        value={night.setback}
        min={SETBACK_K.minimum}
        max={SETBACK_K.maximum}
        step={0.5}
        onChange={(setback) => onChange({ ...night, setback })}
      />
      <TimesFields
        legend={t(weekend ? 'night.weekdays' : 'night.every_day')}
        times={night}
        onChange={(times) => onChange({ ...night, ...times })}
      />
      <Switch
        label={t('night.weekend_on')}
        hint={t('night.weekend_hint')}
        checked={weekend !== undefined}
        onChange={(isOn) => onChange(isOn ? { ...weekdays, weekend: USUAL_WEEKEND } : weekdays)}
      />
      {weekend && (
        <TimesFields
          legend={t('night.weekend')}
          times={weekend}
          onChange={(times) => onChange({ ...night, weekend: { ...weekend, ...times } })}
        />
      )}
    </>
  )
}

function TimesFields(props: { legend: string; times: Times; onChange(times: Partial<Times>): void }) {
  const { t } = useWords()
  const { legend, times, onChange } = props
  return (
    <fieldset className="space-y-2">
      <legend className="font-medium">{legend}</legend>
      <div className="grid grid-cols-2 gap-3">
        <TimeField label={t('night.from')} value={times.from} onChange={(from) => onChange({ from })} />
        <TimeField
          label={t('night.to')}
          value={times.to}
          complaint={times.from === times.to ? t('night.same') : undefined}
          onChange={(to) => onChange({ to })}
        />
      </div>
    </fieldset>
  )
}
