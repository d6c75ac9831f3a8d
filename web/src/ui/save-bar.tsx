import type { ReactNode } from 'react'

/** Stays at the foot of the screen: what is about to be saved, and the buttons. */
export function SaveBar({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="print:hidden sticky bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-[5] -mx-4 flex flex-wrap items-center justify-end gap-x-4 gap-y-2 border-t border-line bg-surface px-4 py-3 sm:-mx-6 sm:px-6 lg:bottom-0">
      <p role="status" className="min-w-0 flex-1 basis-32 text-sm text-soft">
        <span className="line-clamp-2">{text}</span>
      </p>
      {children}
    </div>
  )
}
