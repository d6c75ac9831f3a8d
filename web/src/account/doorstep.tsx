import type { ReactNode } from 'react'
import { BASE } from '../api/base.ts'
import { useWords } from '../i18n/index.tsx'

/** The frame of the pages before signing in. */
export function Doorstep({ lead, children }: { lead: string; children: ReactNode }) {
  const { t } = useWords()
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center gap-6 p-6">
      <header className="space-y-2 text-center">
        <img src={`${BASE}/icon.svg`} alt="" width="72" height="72" className="mx-auto" />
        <h1 className="text-3xl font-semibold">{t('product')}</h1>
        <p className="text-soft">{lead}</p>
      </header>
      {children}
    </main>
  )
}
