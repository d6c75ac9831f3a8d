import { type ReactNode, useId, useState } from 'react'
import { Icon } from './icon.tsx'

interface Props {
  label: string
  hint?: string | undefined
  /** What is chosen. */
  shown: string | undefined
  picture?: ReactNode
  isDisabled?: boolean | undefined
  /** The sheet, as long as it is open. */
  children(close: () => void): ReactNode
}

/** What is chosen stands on a button, and all there is in a sheet. */
export function SheetButton({ label, hint, shown, picture, isDisabled, children }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="min-w-0 space-y-1">
      <span id={id} className="block text-sm font-medium">
        {label}
      </span>
      <button
        id={`${id}-button`}
        type="button"
        disabled={isDisabled}
        aria-haspopup="dialog"
        aria-labelledby={`${id} ${id}-button`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="flex min-h-11 w-full items-center justify-between gap-2 rounded-xl border border-edge bg-raised px-2.5 py-2 text-left sm:px-3 hover:bg-sunken disabled:opacity-50"
        onClick={() => setOpen(true)}
      >
        {picture}
        <span className="min-w-0 flex-1 break-words">{shown}</span>
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
