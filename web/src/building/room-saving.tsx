import type { RoomSavings } from '@hypocaust/domain'
import { useWords } from '../i18n/index.tsx'
import { Summary } from '../ui/basics.tsx'
import { savingsInWords } from './saving-words.ts'

/** What a room could save. */
export function RoomSaving({ savings }: { savings: RoomSavings | null }) {
  const { t, format } = useWords()
  return (
    <details className="group">
      <Summary>{t('saving.title')}</Summary>
      <div className="space-y-1 pb-2 text-sm text-soft">
        {savingsInWords(savings, t, format).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {savings && <p>{t('saving.how')}</p>}
      </div>
    </details>
  )
}
