import { type ReactNode, useId, useState } from 'react'
import { Icon } from './icon.tsx'

interface Props {
  label: string
  hint?: string | undefined
  /** What is chosen. */
  shown: string | undefined
  picture?: ReactNode
  isDisabled?: boolean | undefined
  /** A line of a list, without a frame of its own: the label on the left, what is chosen on the right. */
  isLine?: boolean | undefined
  /** The sheet, as long as it is open. */
  children(close: () => void): ReactNode
}

const BOX = 'min-h-11 gap-2 rounded-xl border border-edge bg-raised px-2.5 py-2 sm:px-3'
const LINE = 'min-h-12 gap-3 py-2'

/** What is chosen stands on a button, and all there is in a sheet. */
export function SheetButton({ label, hint, shown, picture, isDisabled, isLine, children }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const name = (
    <span id={id} className={isLine ? 'min-w-0 flex-1 font-medium break-words' : 'block text-sm font-medium'}>
      {label}
    </span>
  )
  return (
    <div className="min-w-0 space-y-1">
      {!isLine && name}
      <button
        type="button"
        disabled={isDisabled}
        aria-haspopup="dialog"
        aria-labelledby={`${id} ${id}-shown`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className={`flex w-full items-center justify-between text-left hover:bg-sunken disabled:opacity-50 ${isLine ? LINE : BOX}`}
        onClick={() => setOpen(true)}
      >
        {isLine && name}
        {picture}
        <span
          id={`${id}-shown`}
          className={`min-w-0 break-words ${isLine ? 'max-w-[60%] text-right text-soft' : 'flex-1'}`}
        >
          {shown}
        </span>
        <Icon name="down" className="size-4 shrink-0 text-faint" />
      </button>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      )}
      {isOpen && children(() => setOpen(false))}
    </div>
  )
}
