import type { AppBuilding } from '@hypocaust/domain'
import { AWAY_C, DAY_MS, USUAL_AWAY_C } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { useNow } from '../api/now.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Problem, Summary } from '../ui/basics.tsx'
import { Chips } from '../ui/chips.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { localTimeOf, momentOf } from '../ui/local-time.ts'
import { ManyChips } from '../ui/many-chips.tsx'
import { MomentField } from '../ui/moment-field.tsx'
import { DegreesField } from '../ui/number-field.tsx'
import { say } from '../ui/toast.tsx'
import { endTime, nextEvening, usualReturns } from './ends.ts'
import { setAway } from './set-away.ts'

const stampOf = (atMs: number): string => new Date(atMs).toISOString()

/** Until when: one of the usual returns, or any times. */
export default function AwayDialog({ building, onClose }: { building: AppBuilding; onClose(): void }) {
  const { t, format } = useWords()
  const now = useNow()
  const { id, timezone } = building
  const { isBusy, problem, run } = useDeed()
  const [temperature, setTemperature] = useState(USUAL_AWAY_C)
  const [chosen, setChosen] = useState<string[]>([])
  /** By the clocks of the building; null: from now on. */
  const [from, setFrom] = useState<string | null>(null)
  const fromMs = from === null ? now : momentOf(from, timezone)
  const leave = async (until: string | null) => {
    const away = {
      ...{ until, temperature },
      ...(from !== null && { from: stampOf(fromMs) }),
      ...(chosen.length > 0 && { room_ids: chosen }),
    }
    if (!(await run(() => setAway(id, away)))) return
    const time = (atMs: number) => format.until(atMs, now, timezone)
    const ends = until === null ? t('away.until_back') : time(Date.parse(until))
    const text =
      from !== null
        ? t('away.is_set_ahead', { from: time(fromMs), until: ends })
        : t(until === null ? 'away.is_set_open' : 'away.is_set', { until: ends })
    say({ text, undo: () => void setAway(id, null) })
    onClose()
  }
  return (
    <Dialog title={t('away.until_when')} onClose={onClose}>
      <div className="grid gap-2 sm:grid-cols-2">
        {usualReturns(now, timezone).map((usual) => (
          <Button key={usual.key} disabled={isBusy || usual.atMs <= fromMs} onClick={() => leave(stampOf(usual.atMs))}>
            <span>{t(`away.${usual.key}`)}</span>
            <span className="text-soft">{endTime(usual, { t, format, now, timeZone: timezone })}</span>
          </Button>
        ))}
        <Button disabled={isBusy} onClick={() => leave(null)}>
          {t('away.open')}
        </Button>
      </div>
      {problem && <Problem>{problem}</Problem>}
      <details className="group">
        <Summary>{t('away.other')}</Summary>
        <OtherTimes
          building={building}
          temperature={temperature}
          chosen={chosen}
          isBusy={isBusy}
          from={from}
          onFrom={setFrom}
          onTemperature={setTemperature}
          onChosen={setChosen}
          onLeave={leave}
        />
      </details>
      <div className="flex justify-end">
        <Button onClick={onClose}>{t('cancel')}</Button>
      </div>
    </Dialog>
  )
}

interface OtherProps {
  building: AppBuilding
  temperature: number
  chosen: string[]
  isBusy: boolean
  from: string | null
  onFrom(from: string | null): void
  onTemperature(celsius: number): void
  onChosen(roomIds: string[]): void
  onLeave(until: string): void
}

/** Any times, by the clocks of the building: a traveller may already be in another time zone. */
function OtherTimes(props: OtherProps) {
  const { t, format } = useWords()
  const { timezone, rooms } = props.building
  const now = useNow()
  const soonest = localTimeOf(now, timezone)
  const { from, onFrom } = props
  const [until, setUntil] = useState(() => nextEvening(now + DAY_MS, timezone))
  return (
    <Form onSubmit={() => props.onLeave(stampOf(momentOf(until, timezone)))}>
      <Chips<'now' | 'later'>
        label={t('away.begins')}
        value={from === null ? 'now' : 'later'}
        choices={[
          { value: 'now', label: t('away.now') },
          { value: 'later', label: t('away.later') },
        ]}
        onChange={(next) => onFrom(next === 'now' ? null : nextEvening(now, timezone))}
      />
      {from !== null && <MomentField label={t('away.from')} value={from} after={soonest} onChange={onFrom} />}
      <MomentField label={t('care.away_until')} value={until} after={from ?? soonest} onChange={setUntil} />
      <p className="text-sm text-soft">{t('care.away_hint')}</p>
      <DegreesField
        label={t('care.away_temperature', { unit: format.unitName })}
        value={props.temperature}
        min={AWAY_C.minimum}
        max={AWAY_C.maximum}
        step={0.5}
        onChange={props.onTemperature}
      />
      <ManyChips
        label={t('away.rooms')}
        hint={t('away.rooms_hint')}
        choices={rooms.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={props.chosen}
        onChange={props.onChosen}
      />
      <Button type="submit" look="main" disabled={props.isBusy}>
        {t('care.leave')}
      </Button>
    </Form>
  )
}
