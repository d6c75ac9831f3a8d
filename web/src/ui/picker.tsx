import { useWords } from '../i18n/index.tsx'
import { Button } from './basics.tsx'
import type { Choice } from './controls.tsx'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'
import { SheetButton } from './sheet-button.tsx'

interface Props<T extends string> {
  label: string
  hint?: string | undefined
  value: T
  choices: Choice<T>[]
  isDisabled?: boolean
  isLine?: boolean
  onChange(value: T): void
}

/** One of many. */
export function Picker<T extends string>({ label, hint, value, choices, isDisabled, isLine, onChange }: Props<T>) {
  const chosen = choices.find((choice) => choice.value === value)
  return (
    <SheetButton {...{ label, hint, isDisabled, isLine }} shown={chosen?.label}>
      {(close) => (
        <Sheet
          {...{ label, value, choices }}
          onChoose={(next) => {
            close()
            if (next !== value) onChange(next)
          }}
          onClose={close}
        />
      )}
    </SheetButton>
  )
}

interface SheetProps<T extends string> {
  label: string
  value: T
  choices: Choice<T>[]
  onChoose(value: T): void
  onClose(): void
}

/** Buttons rather than radio buttons: an arrow key must not choose, because choosing closes the sheet. */
function Sheet<T extends string>({ label, value, choices, onChoose, onClose }: SheetProps<T>) {
  const { t } = useWords()
  return (
    <Dialog title={label} onClose={onClose}>
      <ul className="-mx-2">
        {choices.map((choice) => (
          <li key={choice.value}>
            <button
              type="button"
              aria-current={choice.value === value || undefined}
              className="flex min-h-11 w-full items-center justify-between gap-3 rounded-xl px-3 py-2 text-left hover:bg-sunken aria-[current]:font-semibold"
              onClick={() => onChoose(choice.value)}
            >
              <span className="min-w-0 break-words">{choice.label}</span>
              {choice.value === value && <Icon name="check" className="size-5 shrink-0" />}
            </button>
          </li>
        ))}
      </ul>
      <div className="flex justify-end">
        <Button onClick={onClose}>{t('cancel')}</Button>
      </div>
    </Dialog>
  )
}
