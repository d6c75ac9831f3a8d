import type { FloorType } from '@hypocaust/domain'
import { FLOOR_TYPES } from '@hypocaust/domain/facts'
import { useWords } from '../i18n/index.tsx'
import { Select } from '../ui/basics.tsx'

export function FloorSelect({ value, onChange }: { value: FloorType; onChange(value: FloorType): void }) {
  const { t } = useWords()
  return (
    <Select
      label={t('room_settings.floor')}
      hint={t(`floor.${value}_hint`)}
      value={value}
      onChange={(event) => onChange(event.target.value as FloorType)}
    >
      {FLOOR_TYPES.map((type) => (
        <option key={type} value={type}>
          {t(`floor.${type}`)}
        </option>
      ))}
    </Select>
  )
}
