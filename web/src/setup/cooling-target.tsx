import type { AppRoom } from '@hypocaust/domain'
import { COOLING_TARGET_C } from '@hypocaust/domain/facts'
import { useWords } from '../i18n/index.tsx'
import { Switch } from '../ui/controls.tsx'
import { DegreesField } from '../ui/number-field.tsx'

const USUAL_C = 25

interface Props {
  target: number | null
  onChange(patch: Pick<AppRoom, 'cooling_target'>): void
}

/** Whether a room is cooled, and to how many degrees; a bathroom is left out. */
export function CoolingTarget({ target, onChange }: Props) {
  const { t, format } = useWords()
  return (
    <>
      <Switch
        label={t('cooling.room')}
        hint={t('cooling.room_hint')}
        checked={target !== null}
        onChange={(isCooled) => onChange({ cooling_target: isCooled ? USUAL_C : null })}
      />
      {target !== null && (
        <DegreesField
          label={t('cooling.target', { unit: format.unitName })}
          value={target}
          min={COOLING_TARGET_C.minimum}
          max={COOLING_TARGET_C.maximum}
          step={0.5}
          onChange={(cooling_target) => onChange({ cooling_target })}
        />
      )}
    </>
  )
}
