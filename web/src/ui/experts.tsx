import type { ReactNode } from 'react'
import { useWords } from '../i18n/index.tsx'
import { Summary } from './basics.tsx'

/** What only the person who runs the service needs: out of the way of everybody else. */
export function ForExperts({ children }: { children: ReactNode }) {
  const { t } = useWords()
  return (
    <details className="group">
      <Summary>{t('experts')}</Summary>
      <div className="pt-2">{children}</div>
    </details>
  )
}
