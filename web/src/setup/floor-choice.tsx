import type { FloorType } from '@hypocaust/domain'
import { FLOOR_TYPES } from '@hypocaust/domain/facts'
import { useWords } from '../i18n/index.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { FloorPicture } from './floor-picture.tsx'

export function FloorChoice({ value, onChange }: { value: FloorType; onChange(value: FloorType): void }) {
  const { t } = useWords()
  const cards = FLOOR_TYPES.map((type) => ({
    value: type,
    label: t(`floor.${type}`),
    hint: t(`floor.${type}_hint`),
    picture: <FloorPicture type={type} />,
  }))
  return (
    <RadioCards
      label={t('room_settings.floor')}
      value={value}
      cards={cards}
      look={{ grid: 'grid gap-2', card: 'items-center gap-3 p-2' }}
      onChange={onChange}
    />
  )
}
