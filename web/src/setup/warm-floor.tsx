import type { AppRoom } from '@hypocaust/domain'
import {
  type FloorTime,
  MINIMUM_FLOOR_C,
  MOST_FLOOR_TIMES,
  ROOM_ABOVE_BAND_K,
  WEEKDAYS,
  type Weekday,
} from '@hypocaust/domain/facts'
import { useWords } from '../i18n/index.tsx'
import { Button, Section } from '../ui/basics.tsx'
import { Switch } from '../ui/controls.tsx'
import { DegreesField } from '../ui/number-field.tsx'
import { Picker } from '../ui/picker.tsx'
import { TimeField } from '../ui/time-field.tsx'

const USUAL: FloorTime = { temperature: 24, from: '06:00', to: '08:00' }

type Times = AppRoom['minimum_floor_temperature']

/** When the floor of a room is warm underfoot, whatever its air needs. */
export function WarmFloor({ times, onChange }: { times: Times; onChange(times: Times): void }) {
  const { t, format } = useWords()
  const replace = (at: number, ...by: FloorTime[]) => {
    const next = (times ?? []).toSpliced(at, 1, ...by)
    onChange(next.length === 0 ? null : next)
  }
  return (
    <Section title={t('warm_floor.title')}>
      <Switch
        label={t('warm_floor.on')}
        hint={t('warm_floor.hint', { kelvin: format.kelvin(ROOM_ABOVE_BAND_K) })}
        checked={times !== null}
        onChange={(isOn) => onChange(isOn ? [USUAL] : null)}
      />
      {times?.map((time, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two times may be the same
        <TimeFields key={at} time={time} onChange={(changed) => replace(at, changed)} onRemove={() => replace(at)} />
      ))}
      {times && times.length < MOST_FLOOR_TIMES && (
        <Button onClick={() => onChange([...times, USUAL])}>{t('warm_floor.add')}</Button>
      )}
    </Section>
  )
}

interface TimeProps {
  time: FloorTime
  onChange(time: FloorTime): void
  onRemove(): void
}

function TimeFields({ time, onChange, onRemove }: TimeProps) {
  const { t, format } = useWords()
  const { days: _, ...everyDay } = time
  const kind = kindOfDays(time.days)
  const choices = [
    { value: 'every_day' as const, label: t('night.every_day') },
    { value: 'weekdays' as const, label: t('night.weekdays') },
    { value: 'weekend' as const, label: t('night.weekend') },
    ...(kind === 'others'
      ? [{ value: kind, label: format.list((time.days ?? []).map((day) => t(`weekday.${day}`))) }]
      : []),
  ]
  return (
    <fieldset className="space-y-2">
      <legend className="font-medium">{t('warm_floor.time', { from: time.from, to: time.to })}</legend>
      <DegreesField
        label={t('warm_floor.at_least', { unit: format.unitName })}
        value={time.temperature}
        min={MINIMUM_FLOOR_C.minimum}
        max={MINIMUM_FLOOR_C.maximum}
        step={0.5}
        onChange={(temperature) => onChange({ ...time, temperature })}
      />
      <div className="grid grid-cols-2 gap-3">
        <TimeField label={t('night.from')} value={time.from} onChange={(from) => onChange({ ...time, from })} />
        <TimeField label={t('night.to')} value={time.to} onChange={(to) => onChange({ ...time, to })} />
      </div>
      <Picker
        label={t('warm_floor.days')}
        value={kind}
        choices={choices}
        onChange={(chosen) => {
          if (chosen !== 'others') onChange({ ...everyDay, ...DAYS[chosen] })
        }}
      />
      <Button onClick={onRemove}>{t('warm_floor.remove', { from: time.from })}</Button>
    </fieldset>
  )
}

type KindOfDays = 'every_day' | 'weekdays' | 'weekend'

const DAYS: Record<KindOfDays, Pick<FloorTime, 'days'>> = {
  every_day: {},
  weekdays: { days: WEEKDAYS.slice(0, 5) },
  weekend: { days: WEEKDAYS.slice(5) },
}

function kindOfDays(days: Weekday[] = [...WEEKDAYS]): KindOfDays | 'others' {
  const sorted = WEEKDAYS.filter((day) => days.includes(day)).join()
  const kinds: KindOfDays[] = ['weekdays', 'weekend']
  if (sorted === WEEKDAYS.join()) return 'every_day'
  return kinds.find((kind) => DAYS[kind].days?.join() === sorted) ?? 'others'
}
