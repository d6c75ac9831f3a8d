import type { RoomIcon } from '@hypocaust/domain'
import { ROOM_ICONS } from '@hypocaust/domain/facts'
import { useWords } from '../i18n/index.tsx'
import { RoomPicture } from '../room/picture.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { DoneRow } from '../ui/done-row.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { SheetButton } from '../ui/sheet-button.tsx'

/** Chosen once, if ever: the icon on a button, and all of them in a sheet. */
export function RoomIconChoice({ value, onChange }: { value: RoomIcon; onChange(value: RoomIcon): void }) {
  const { t } = useWords()
  const cards = ROOM_ICONS.map((icon) => ({
    value: icon,
    label: t(`room_icon.${icon}`),
    picture: <RoomPicture icon={icon} />,
  }))
  return (
    <SheetButton
      label={t('room_icon.title')}
      shown={t(`room_icon.${value}`)}
      picture={<RoomPicture icon={value} className="size-5 text-soft" />}
    >
      {(close) => (
        <Dialog title={t('room_icon.title')} onClose={close}>
          <RadioCards
            label={t('room_icon.hint')}
            value={value}
            cards={cards}
            look={{
              grid: 'grid grid-cols-[repeat(auto-fill,minmax(4.75rem,1fr))] gap-2',
              card: 'flex-col items-center gap-1 p-2 text-center text-xs',
            }}
            onChange={onChange}
          />
          <DoneRow onClose={close} />
        </Dialog>
      )}
    </SheetButton>
  )
}
