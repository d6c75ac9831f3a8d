import type { AppRoom } from '@hypocaust/domain'
import { changeRoom } from '../api/room-changes.ts'
import { useWords } from '../i18n/index.tsx'
import { Segmented, Slider } from '../ui/controls.tsx'
import { useProblemText } from '../ui/form.ts'
import { say } from '../ui/toast.tsx'
import { putOverride } from './put-override.ts'

const LEAST_POWER = 0.05

type End = '1' | '3' | '8' | 'never'

/** A fixed power, and when it ends. */
export function ManualPower({ room }: { room: AppRoom }) {
  const { t, format } = useWords()
  const problemText = useProblemText()
  const { override } = room
  const power = override?.power ?? room.manual_power.power
  const always = (next: number) => changeRoom(room.id, { manual_power: { enabled: true, power: next } })
  const slide = (next: number) =>
    override ? changeRoom(room.id, { override: { power: next, until: override.until } }) : always(next)
  const endIn = (hours: number) =>
    putOverride({ roomId: room.id }, { power, hours }).catch((error) => say({ text: problemText(error) }))
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
        onChange={(end) => (end === 'never' ? always(power) : void endIn(Number(end)))}
      />
      <p className="text-sm text-soft">{t('room.manual_hint')}</p>
    </div>
  )
}
