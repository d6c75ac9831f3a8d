import { useSyncExternalStore } from 'react'
import { useWords } from '../i18n/index.tsx'

export interface Toast {
  text: string
  /** What was done can be done otherwise. */
  other?: { label: string; choose(): void }
  undo?(): void
}

const SHOWN_MS = 5000
/** A way back must not vanish while one is still looking for it. */
const UNDO_SHOWN_MS = 12_000

let toast: Toast | undefined
let timer: number | undefined
const listeners = new Set<() => void>()

/** What was just done, for a while, with the way back where there is one. */
export function say(next: Toast | undefined): void {
  toast = next
  clearTimeout(timer)
  if (next) timer = window.setTimeout(() => say(undefined), next.undo ? UNDO_SHOWN_MS : SHOWN_MS)
  for (const listener of listeners) listener()
}

export const isShown = (other: Toast): boolean => other === toast

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Over the page and not in it: nothing moves when it comes and goes, and what is under its words can be tapped. */
export function Toasts() {
  const { t } = useWords()
  const shown = useSyncExternalStore(subscribe, () => toast)
  const undo = shown?.undo
  return (
    <div
      role="status"
      className="pointer-events-none print:hidden fixed inset-x-0 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-10 flex justify-center p-3 lg:bottom-0 lg:pl-52"
    >
      {shown && (
        <div className="toast flex min-h-12 max-w-full flex-wrap items-center justify-center gap-x-3 rounded-2xl bg-accent px-4 text-on-accent shadow-lg">
          <span className="min-w-0 flex-1 py-2 tabular-nums">{shown.text}</span>
          {shown.other && (
            <Deed label={shown.other.label} onClick={shown.other.choose} className="rounded-xl bg-on-accent/15 px-3" />
          )}
          {undo && (
            <Deed
              label={t('undo')}
              onClick={() => {
                undo()
                say(undefined)
              }}
              className="px-2 underline"
            />
          )}
        </div>
      )}
    </div>
  )
}

const Deed = ({ label, onClick, className }: { label: string; onClick(): void; className: string }) => (
  <button
    type="button"
    onClick={onClick}
    className={`pointer-events-auto my-1 min-h-11 shrink-0 whitespace-nowrap font-semibold first-letter:uppercase ${className}`}
  >
    {label}
  </button>
)
