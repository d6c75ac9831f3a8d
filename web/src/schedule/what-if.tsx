import type { AppRoom, WhatIfAnswer, WhatIfQuestion, WhatIfSpan } from '@hypocaust/domain'
import { MAX_TARGET_C, MIN_TARGET_C } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { useNow } from '../api/now.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Problem, Section, Skeleton } from '../ui/basics.tsx'
import { ComparedTable } from '../ui/compared-table.tsx'
import { useDeed } from '../ui/form.ts'
import { DegreesField } from '../ui/number-field.tsx'

interface Props {
  room: AppRoom
  timeZone: string
  targetC: number
  onTarget(celsius: number): void
  /** What is being edited beside the target. */
  plan: Pick<WhatIfQuestion, 'night_mode' | 'programme'>
}

/** What the edited settings would make of the coming week and of the last weeks, before they are saved. */
export function WhatIf({ room, timeZone, targetC, onTarget, plan }: Props) {
  const { t, format } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [answer, setAnswer] = useState<{ question: string; data: WhatIfAnswer }>()
  const question = JSON.stringify({ target_temperature: targetC, ...plan })
  const ask = () =>
    run(async () => {
      const data = await api<WhatIfAnswer>('POST', `/rooms/${room.id}/what-if`, JSON.parse(question))
      setAnswer({ question, data })
    })
  const shown = answer?.question === question ? answer.data : undefined
  return (
    <Section title={t('what_if.title')}>
      <p className="text-soft">{t('what_if.lead')}</p>
      <DegreesField
        label={t('what_if.target', { unit: format.unitName })}
        value={targetC}
        min={MIN_TARGET_C}
        max={MAX_TARGET_C}
        step={0.5}
        onChange={onTarget}
      />
      <Button onClick={ask} disabled={isBusy}>
        {t('what_if.compare')}
      </Button>
      {problem && <Problem>{problem}</Problem>}
      <div role="status" className="space-y-4">
        {isBusy && <Skeleton className="h-40" />}
        {!isBusy && shown && <Answer answer={shown} timeZone={timeZone} />}
        {!isBusy && answer && !shown && <p className="text-sm text-soft">{t('what_if.changed')}</p>}
      </div>
    </Section>
  )
}

function Answer({ answer: { currency, ahead, past, warm_by }, timeZone }: { answer: WhatIfAnswer; timeZone: string }) {
  const { t, format } = useWords()
  const now = useNow()
  if (!ahead && !past) return <p className="text-soft">{t('what_if.nothing')}</p>
  return (
    <>
      {ahead && <Span title={t('what_if.ahead')} span={ahead} currency={currency} />}
      {past && <Span title={t('what_if.past', { n: Math.round(past.days) })} span={past} currency={currency} />}
      {warm_by.length > 0 && (
        <ul className="list-disc space-y-1 pl-5 text-sm text-soft">
          {warm_by.map(({ at, setpoint, warm_at }) => (
            <li key={at}>
              {t(warm_at === null ? 'what_if.not_warm' : 'what_if.warm_by', {
                degrees: format.degrees(setpoint),
                at: format.until(Date.parse(at), now, timeZone),
                warm: warm_at === null ? '' : format.until(Date.parse(warm_at), Date.parse(at), timeZone),
              })}
            </li>
          ))}
        </ul>
      )}
      <p className="text-sm text-soft">{t('what_if.how')}</p>
    </>
  )
}

function Span({ title, span, currency }: { title: string; span: WhatIfSpan; currency: string | null }) {
  const { t, format } = useWords()
  const { now, changed, heat_percent: heat } = span
  const rows = [
    ...(now.heat_kwh !== null && changed.heat_kwh !== null
      ? [{ label: t('what_if.heat'), first: format.decimal(now.heat_kwh), second: format.decimal(changed.heat_kwh) }]
      : []),
    ...(now.cost !== null && changed.cost !== null
      ? [
          {
            label: t('what_if.cost'),
            first: format.money(now.cost, currency),
            second: format.money(changed.cost, currency),
          },
        ]
      : []),
    { label: t('what_if.below'), first: format.decimal(now.below_kh), second: format.decimal(changed.below_kh) },
    ...(now.rises + changed.rises > 0
      ? [
          {
            label: t('what_if.late'),
            first: t('what_if.of', { n: format.whole(now.late), all: format.whole(now.rises) }),
            second: t('what_if.of', { n: format.whole(changed.late), all: format.whole(changed.rises) }),
          },
        ]
      : []),
  ]
  return (
    <div>
      <ComparedTable
        caption={<span className="font-medium">{title}</span>}
        heads={[t('what_if.now'), t('what_if.then')]}
        rows={rows}
      />
      {heat && (
        <p className="pt-1">
          {heat.value === 0
            ? t('what_if.same')
            : t(heat.value < 0 ? 'what_if.less' : 'what_if.more', {
                percent: format.decimal(Math.abs(heat.value)),
                error: format.decimal(heat.plus_minus),
              })}
        </p>
      )}
    </div>
  )
}
