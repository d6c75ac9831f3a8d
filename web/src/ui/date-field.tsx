import { useWords } from '../i18n/index.tsx'
import { Button } from './basics.tsx'
import { Calendar } from './calendar.tsx'
import { atMsOf } from './dates.ts'
import { Dialog } from './dialog.tsx'
import { SheetButton } from './sheet-button.tsx'

interface Props {
  label: string
  value: string
  min: string
  max: string
  taken?: string[] | undefined
  onChange(date: string): void
}

/** A day, chosen in a calendar: a field of type date follows the browser's language, not the chosen one. */
export function DateField({ label, value, min, max, taken, onChange }: Props) {
  const { t, format } = useWords()
  return (
    <SheetButton label={label} shown={format.longDate(atMsOf(value))}>
      {(close) => (
        <Dialog title={label} onClose={close}>
          <Calendar
            {...{ value, min, max, taken }}
            onChoose={(date) => {
              close()
              onChange(date)
            }}
          />
          <div className="flex justify-end">
            <Button onClick={close}>{t('cancel')}</Button>
          </div>
        </Dialog>
      )}
    </SheetButton>
  )
}
