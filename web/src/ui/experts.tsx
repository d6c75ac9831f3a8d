import type { ReactNode } from 'react'
import { useWords } from '../i18n/index.tsx'
import { Summary } from './basics.tsx'

/** What most people never need: closed, unless the browser finds a mistake in it. */
export function ForExperts({ children }: { children: ReactNode }) {
  const { t } = useWords()
  return (
    <details
      className="group"
      onInvalidCapture={(event) => {
        event.currentTarget.open = true
      }}
    >
      <Summary>{t('experts')}</Summary>
      <div className="space-y-4 pt-2">{children}</div>
    </details>
  )
}
