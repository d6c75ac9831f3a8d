import type { RoomEnergy } from '@hypocaust/domain'
import { useWords } from '../i18n/index.tsx'
import { Summary } from '../ui/basics.tsx'
import { savingsInWords } from './saving-words.ts'

/** What the rooms could save; those of which it is not known yet are named together. */
export function RoomSavings({ rooms }: { rooms: RoomEnergy[] }) {
  const { t, format } = useWords()
  const known = rooms.flatMap(({ id, name, savings }) => (savings ? [{ id, name, savings }] : []))
  const unknown = rooms.filter(({ savings }) => savings === null)
  return (
    <details className="group">
      <Summary>{t('saving.title')}</Summary>
      <div className="space-y-3 pb-2 text-sm text-soft">
        {known.map(({ id, name, savings }) => (
          <div key={id}>
            <h3 className="font-medium text-ink">{name}</h3>
            {savingsInWords(savings, t, format).map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </div>
        ))}
        {unknown.length > 0 && (
          <div>
            <h3 className="font-medium text-ink">{unknown.map(({ name }) => name).join(', ')}</h3>
            <p>{t('saving.unknown')}</p>
          </div>
        )}
        {known.length > 0 && <p>{t('saving.how')}</p>}
      </div>
    </details>
  )
}
