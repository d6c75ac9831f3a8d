import type { OtherSensors } from '@hypocaust/domain'
import { SENSOR_WEIGHT } from '@hypocaust/domain/facts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field } from '../ui/basics.tsx'
import { Picker } from '../ui/picker.tsx'

interface Props {
  value: OtherSensors | null
  /** Those that can be added. */
  ids: string[]
  nameOf(id: string): string
  onChange(value: OtherSensors | null): void
}

/** Sensors that measure a room beside its first one, and what becomes of them together. */
export function OtherSensorsChoice({ value, ids, nameOf, onChange }: Props) {
  const { t } = useWords()
  const { use, sensors } = value ?? { use: 'mean' as const, sensors: [] }
  const change = (next: OtherSensors['sensors']) => onChange(next.length === 0 ? null : { use, sensors: next })
  const free = ids.filter((id) => !sensors.some((sensor) => sensor.id === id))
  return (
    <>
      {sensors.length > 0 && (
        <ul className="space-y-2">
          {sensors.map(({ id, weight = 1 }) => (
            <li key={id} className="flex flex-wrap items-end justify-between gap-2">
              {use === 'mean' ? (
                <Field
                  label={t('other_sensors.weight', { sensor: nameOf(id) })}
                  type="number"
                  inputMode="decimal"
                  required
                  min={SENSOR_WEIGHT.minimum}
                  max={SENSOR_WEIGHT.maximum}
                  step={0.1}
                  value={Number.isNaN(weight) ? '' : weight}
                  onChange={({ target }) =>
                    change(sensors.map((each) => (each.id === id ? { id, weight: target.valueAsNumber } : each)))
                  }
                />
              ) : (
                <span className="py-2">{nameOf(id)}</span>
              )}
              <Button
                aria-label={t('other_sensors.remove_named', { sensor: nameOf(id) })}
                onClick={() => change(sensors.filter((each) => each.id !== id))}
              >
                {t('other_sensors.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {free.length > 0 && (
        <Picker
          label={t('other_sensors.add')}
          hint={sensors.length === 0 ? t('other_sensors.hint') : undefined}
          value=""
          choices={[
            { value: '', label: t('other_sensors.choose') },
            ...free.map((id) => ({ value: id, label: nameOf(id) })),
          ]}
          onChange={(id) => id && change([...sensors, { id }])}
        />
      )}
      {sensors.length > 0 && (
        <Picker
          label={t('other_sensors.use')}
          hint={t('other_sensors.use_hint')}
          value={use}
          choices={[
            { value: 'mean', label: t('other_sensors.mean') },
            { value: 'coldest', label: t('other_sensors.coldest') },
          ]}
          onChange={(next) => onChange({ use: next, sensors })}
        />
      )}
    </>
  )
}
