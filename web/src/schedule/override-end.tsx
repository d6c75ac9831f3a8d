import type { AppOverridePut } from '@hypocaust/domain'
import { useState } from 'react'
import { useNow } from '../api/now.ts'
import type { WordingNow } from '../i18n/formats.ts'
import { useWords } from '../i18n/index.tsx'
import { Chips } from '../ui/chips.tsx'
import { localTimeOf, momentOf } from '../ui/local-time.ts'
import { MomentField } from '../ui/moment-field.tsx'
import { endTime, nextEvening, usualReturns } from './ends.ts'

export type OverrideEnd = Pick<AppOverridePut, 'hours' | 'until' | 'next_step'>

const HOURS = [1, 2, 4]
export const USUAL_END: OverrideEnd = { hours: 2 }

interface EndChoice {
  label: string
  end: OverrideEnd
}

/** When people want a change to end, in the order of time. */
export function usualEnds(stepAt: string | null, words: WordingNow): EndChoice[] {
  const { t, format, now, timeZone } = words
  const returns = usualReturns(now, timeZone).filter(({ key }) => key !== 'week')
  const step = stepAt && { label: t('override.next_step', { time: format.until(Date.parse(stepAt), now, timeZone) }) }
  return [
    ...HOURS.map((hours) => ({ label: t('unit.hours_short', { n: hours }), end: { hours } })),
    ...(step ? [{ ...step, end: { next_step: true as const } }] : []),
    ...returns.map((usual) => ({
      label: `${t(`away.${usual.key}`)} ${endTime(usual, words)}`,
      end: { until: new Date(usual.atMs).toISOString() },
    })),
  ]
}

interface Props {
  end: OverrideEnd
  /** When the setpoint changes anyway. */
  stepAt: string | null
  timeZone: string
  onChange(end: OverrideEnd): void
}

const OTHER = 'other'

/** One of the usual ends, or any day and time. */
export function OverrideEndChoice({ end, stepAt, timeZone, onChange }: Props) {
  const { t, format } = useWords()
  const now = useNow()
  const [own, setOwn] = useState<string>()
  const usual = usualEnds(stepAt, { t, format, now, timeZone })
  const chooseOwn = (localTime: string) => {
    setOwn(localTime)
    onChange({ until: new Date(momentOf(localTime, timeZone)).toISOString() })
  }
  return (
    <>
      <Chips
        label={t('override.end')}
        value={own === undefined ? JSON.stringify(end) : OTHER}
        choices={[
          ...usual.map((choice) => ({ value: JSON.stringify(choice.end), label: choice.label })),
          { value: OTHER, label: t('override.other') },
        ]}
        onChange={(next) => {
          if (next === OTHER) return chooseOwn(nextEvening(now, timeZone))
          setOwn(undefined)
          onChange(JSON.parse(next))
        }}
      />
      {own !== undefined && (
        <MomentField
          label={t('override.until_when')}
          value={own}
          after={localTimeOf(now, timeZone)}
          onChange={chooseOwn}
        />
      )}
    </>
  )
}
