import type { AppBuilding, LoopConfirmation, LoopRun, LoopTest } from '@hypocaust/domain'
import { useState } from 'react'
import { useWords } from '../i18n/index.tsx'
import { Button, Select } from '../ui/basics.tsx'

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
  const { t } = useWords()
  const tried = run.trials.filter(({ opened_at }) => opened_at !== null)
  const [chosen, setChosen] = useState(() => new Map(tried.map((trial) => [keyOf(trial), proposed(trial)])))
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
            <Select
              label={t('loops.warms', { loop: nameOf(trial) })}
              hint={<Certainty trial={trial} />}
              value={chosen.get(keyOf(trial))}
              onChange={(event) => setChosen(new Map(chosen).set(keyOf(trial), event.target.value))}
            >
              <option value={UNDECIDED}>{t('loops.undecided')}</option>
              {building.rooms.map((room) => (
                <option key={room.id} value={room.id}>
                  {room.name}
                </option>
              ))}
              <option value={NONE}>{t('loops.none')}</option>
            </Select>
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

function Certainty({ trial: { finding } }: { trial: Trial }) {
  const { t, format } = useWords()
  if (!finding) return null
  const share = format.percent(finding.certainty)
  return finding.certainty >= SURE ? t('loops.sure', { share }) : t('loops.unsure', { share })
}

const keyOf = ({ gateway_id, channel }: Trial): string => `${gateway_id} ${channel}`

const proposed = ({ finding }: Trial): string =>
  finding && finding.certainty >= SURE ? (finding.room_id ?? NONE) : UNDECIDED
