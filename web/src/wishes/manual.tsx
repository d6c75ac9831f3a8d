import type { AppRoom } from '@hypocaust/domain'
import { useEffect, useRef, useState } from 'react'
import { changeRoom } from '../api/room-changes.ts'
import { useWords } from '../i18n/index.tsx'
import { Segmented, Slider } from '../ui/controls.tsx'
import { useProblemText } from '../ui/form.ts'
import { say } from '../ui/toast.tsx'
import { MANUAL_HOURS, putOverride } from './put-override.ts'

const LEAST_POWER = 0.05
/** A slider that is dragged is one wish. */
const GATHER_MS = 400

type End = '1' | '3' | '8' | 'never'

/** A fixed power, and when it ends. */
export function ManualPower({ room }: { room: AppRoom }) {
  const { t, format } = useWords()
  const problemText = useProblemText()
  const { override } = room
  const stored = override?.power ?? room.manual_power.power
  const [draft, setDraft] = useState<number>()
  const timer = useRef<number>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const power = draft ?? stored
  const send = (next: number, end?: End) => {
    if (end === 'never' || (end === undefined && !override)) {
      changeRoom(room.id, { manual_power: { enabled: true, power: next } })
      setDraft(undefined)
      return
    }
    const ends = end === undefined && override ? { until: override.until } : { hours: Number(end ?? MANUAL_HOURS) }
    putOverride({ roomId: room.id }, { power: next, ...ends })
      .catch((error) => say({ text: problemText(error) }))
      .finally(() => setDraft(undefined))
  }
  const slide = (next: number) => {
    setDraft(next)
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => send(next), GATHER_MS)
  }
  const choices = [
    ...(['1', '3', '8'] as const).map((value) => ({ value, label: t('unit.hours_short', { n: value }) })),
    { value: 'never' as const, label: t('manual.no_end') },
  ]
  return (
    <div className="space-y-2">
      <p className="flex justify-between">
        <span>{t('room.manual_power')}</span>
        <span className="font-medium tabular-nums">{format.percent(power)}</span>
      </p>
      <Slider
        label={t('room.manual_power')}
        value={Math.round(power * 100)}
        max={100}
        step={5}
        text={format.percent(power)}
        onChange={(percent) => slide(Math.max(LEAST_POWER, percent / 100))}
      />
      <p className="text-sm font-medium">{t('manual.ends')}</p>
      <Segmented<End>
        label={t('manual.ends')}
        value={override ? undefined : 'never'}
        choices={choices}
        onChange={(end) => send(power, end)}
      />
      <p className="text-sm text-soft">{t('room.manual_hint')}</p>
    </div>
  )
}
