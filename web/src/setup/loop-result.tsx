import type { AppBuilding, LoopConfirmation, LoopRun, LoopTest, ValveRef } from '@hypocaust/domain'
import { useState } from 'react'
import { useWords } from '../i18n/index.tsx'
import { Button } from '../ui/basics.tsx'
import { Picker } from '../ui/picker.tsx'

type Trial = LoopRun['trials'][number]
type Confirmed = LoopConfirmation['loops']

/** Below this, a person should look. */
const SURE = 0.9
const UNDECIDED = '?'
const NONE = ''

interface Props {
  building: AppBuilding
  run: LoopRun
  nameOf(loop: Pick<LoopTest, 'gateway_id' | 'channel'>): string
  isBusy: boolean
  onConfirm(loops: Confirmed): void
}

/** What a test or a search came to, to be confirmed or corrected. Loops left undecided stay as they are. */
export function LoopResult({ building, run, nameOf, isBusy, onConfirm }: Props) {
  const { t, format } = useWords()
  const certaintyOf = ({ finding }: Trial): string | undefined =>
    finding
      ? t(finding.certainty >= SURE ? 'loops.sure' : 'loops.unsure', { share: format.percent(finding.certainty) })
      : undefined
  const tried = run.trials.filter(({ opened_at }) => opened_at !== null)
  const [chosen, setChosen] = useState(
    () => new Map(tried.map((trial) => [keyOf(trial), proposed(trial, run.kind, building)])),
  )
  const decided = tried.flatMap(({ gateway_id, channel, ...trial }): Confirmed => {
    const room = chosen.get(keyOf({ gateway_id, channel, ...trial })) ?? UNDECIDED
    return room === UNDECIDED ? [] : [{ gateway_id, channel, room_id: room === NONE ? null : room }]
  })
  return (
    <>
      <p role="status" className="font-semibold">
        {t(`loops.ended_${run.ended?.because ?? 'finished'}`)}
      </p>
      <ul className="space-y-3">
        {tried.map((trial) => (
          <li key={keyOf(trial)}>
            <Picker
              label={t('loops.warms', { loop: nameOf(trial) })}
              hint={certaintyOf(trial)}
              value={chosen.get(keyOf(trial)) ?? UNDECIDED}
              choices={[
                { value: UNDECIDED, label: t('loops.undecided') },
                ...building.rooms.map(({ id, name }) => ({ value: id, label: name })),
                { value: NONE, label: t('loops.none') },
              ]}
              onChange={(room) => setChosen(new Map(chosen).set(keyOf(trial), room))}
            />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button look="main" onClick={() => onConfirm(decided)} disabled={isBusy || decided.length === 0}>
          {t('loops.confirm')}
        </Button>
        <Button onClick={() => onConfirm([])} disabled={isBusy}>
          {t('loops.discard')}
        </Button>
      </div>
    </>
  )
}

const keyOf = ({ gateway_id, channel }: Trial): string => `${gateway_id} ${channel}`

/** A test that has found nothing is there to see that the loop warms the room it belongs to. */
function proposed({ finding, ...loop }: Trial, kind: LoopRun['kind'], { rooms }: AppBuilding): string {
  if (finding && finding.certainty >= SURE) return finding.room_id ?? NONE
  const own = (valve: ValveRef) => valve.gateway_id === loop.gateway_id && valve.channel === loop.channel
  return (kind === 'test' && rooms.find(({ valves }) => valves.some(own))?.id) || UNDECIDED
}
