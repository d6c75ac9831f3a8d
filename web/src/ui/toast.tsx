import { useSyncExternalStore } from 'react'
import { useWords } from '../i18n/index.tsx'

interface Toast {
  text: string
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
      className="pointer-events-none fixed inset-x-0 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-10 flex justify-center p-3 lg:bottom-0 lg:pl-52"
    >
      {shown && (
        <p className="flex min-h-12 max-w-full items-center gap-3 rounded-xl bg-accent px-4 text-on-accent shadow-lg">
          <span className="min-w-0 py-2">{shown.text}</span>
          {undo && (
            <button
              type="button"
              className="pointer-events-auto min-h-11 shrink-0 px-2 font-semibold underline"
              onClick={() => {
                undo()
                say(undefined)
              }}
            >
              {t('undo')}
            </button>
          )}
        </p>
      )}
    </div>
  )
}
