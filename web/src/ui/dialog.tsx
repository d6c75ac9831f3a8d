import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

/** A sheet from below on a phone. The browser's own dialog: it keeps the focus, closes with Escape, and needs no script for either. */
export function Dialog({ title, onClose, children }: { title: string; onClose(): void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Before the dialog leaves the page: afterwards the browser no longer knows where the focus was.
  useLayoutEffect(() => {
    const { current } = dialog
    const opener = document.activeElement
    current?.showModal()
    return () => {
      current?.close()
      if (!opener?.isConnected) document.querySelector('h1')?.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className="sheet m-auto mb-0 max-h-[90dvh] w-full max-w-none rounded-t-2xl border border-line bg-raised p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] text-ink shadow-xl sm:mb-auto sm:max-w-lg sm:rounded-2xl"
    >
      <h2 id={id} className="mb-4 text-xl font-semibold">
        {title}
      </h2>
      <div className="space-y-4">{children}</div>
    </dialog>
  )
}
