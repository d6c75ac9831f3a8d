import { DESIGN_OUTDOOR_C } from '@hypocaust/domain/facts'
import { type FormEvent, useState } from 'react'
import { useWords } from '../i18n/index.tsx'
import { Button, Section } from '../ui/basics.tsx'
import { Switch } from '../ui/controls.tsx'
import { DateField } from '../ui/date-field.tsx'
import { DegreesField } from '../ui/number-field.tsx'

export interface Question {
  outdoor: number
  renovated: string | null
}

export const FIRST_QUESTION: Question = { outdoor: DESIGN_OUTDOOR_C.usual, renovated: null }

const FIRST_DAY = '2020-01-01'

interface Props {
  today: string
  /** Whether a renovation can be asked about. */
  hasRenovation: boolean
  onAsk(question: Question): void
}

/** For which outdoor temperature, and since which day. */
export function QuestionForm({ today, hasRenovation, onAsk }: Props) {
  const { t } = useWords()
  const [draft, setDraft] = useState(FIRST_QUESTION)
  const ask = (event: FormEvent) => {
    event.preventDefault()
    onAsk(draft)
  }
  return (
    <Section title={t('house_report.calculate')}>
      <form className="max-w-sm space-y-4" onSubmit={ask}>
        <DegreesField
          label={t('house_report.outdoor')}
          value={draft.outdoor}
          min={DESIGN_OUTDOOR_C.minimum}
          max={DESIGN_OUTDOOR_C.maximum}
          step={1}
          onChange={(outdoor) => setDraft({ ...draft, outdoor: Math.round(outdoor * 10) / 10 })}
        />
        {hasRenovation && (
          <Switch
            label={t('house_report.compare')}
            checked={draft.renovated !== null}
            onChange={(isOn) => setDraft({ ...draft, renovated: isOn ? today : null })}
          />
        )}
        {draft.renovated !== null && (
          <DateField
            label={t('house_report.renovated')}
            value={draft.renovated}
            min={FIRST_DAY}
            max={today}
            onChange={(renovated) => setDraft({ ...draft, renovated })}
          />
        )}
        <Button type="submit" look="main">
          {t('house_report.calculate')}
        </Button>
      </form>
    </Section>
  )
}
