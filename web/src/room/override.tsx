import type { AppBuilding, AppOverridePut, AppRoom } from '@hypocaust/domain'
import { BOOST, MAX_TARGET_C, MIN_TARGET_C } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { useNow } from '../api/now.ts'
import type { WordingNow } from '../i18n/formats.ts'
import { useWords } from '../i18n/index.tsx'
import { type OverrideEnd, OverrideEndChoice, USUAL_END } from '../schedule/override-end.tsx'
import { overrideInWords } from '../schedule/override-words.ts'
import { putOverride } from '../schedule/put-override.ts'
import { Button, Problem } from '../ui/basics.tsx'
import { Segmented, Switch } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useDeed, useProblemText } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { DegreesField } from '../ui/number-field.tsx'
import { say } from '../ui/toast.tsx'
import { overrideSet, saySetpointSet } from './setpoint-change.ts'

const WARMER_FOR_A_WHILE: AppOverridePut = { boost: BOOST.kelvin, hours: BOOST.hours }
const WARMER_K = 1

const placeOf = ({ id }: AppRoom) => ({ roomId: id })

/** For a while: another target, off, or a boost. It ends by itself; the newest change wins. */
export function OverrideControls({ room, building }: { room: AppRoom; building: AppBuilding }) {
  const { t, format } = useWords()
  const now = useNow()
  const { isBusy, problem, run } = useDeed()
  const [isOpen, setOpen] = useState(false)
  const boost = () =>
    run(async () => {
      const changed = await putOverride(placeOf(room), WARMER_FOR_A_WHILE)
      sayRoomSet(room, changed, { t, format, now, timeZone: building.timezone })
    })
  return (
    <div className="space-y-2">
      <OverrideLine room={room} timeZone={building.timezone} />
      <div className="flex flex-wrap gap-2">
        {!room.cools && (
          <Button disabled={isBusy} onClick={boost}>
            {t('override.boost')}
          </Button>
        )}
        <Button disabled={isBusy} onClick={() => setOpen(true)}>
          {t('override.for_a_while')}
        </Button>
      </div>
      {problem && <Problem>{problem}</Problem>}
      {isOpen && <OverrideDialog room={room} building={building} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** A temperature can hold from now on instead. */
function sayRoomSet(before: AppRoom, [after]: AppRoom[], words: WordingNow): void {
  if (!after?.override) return
  const { target_temperature: celsius, until } = after.override
  if (celsius !== undefined) saySetpointSet(before, celsius, until, words)
  else
    say({
      text: overrideSet(before.name, after.override, words),
      undo: () => void putOverride(placeOf(before), before.override),
    })
}

/** Until the next step means another time in each room. */
function sayAllSet({ id, name, rooms: before }: AppBuilding, rooms: AppRoom[], words: WordingNow): void {
  const [first, ...others] = rooms.flatMap(({ override }) => override ?? [])
  if (!first) return
  const isOneEnd = others.every(({ until }) => until === first.until)
  say({
    text: isOneEnd ? overrideSet(name, first, words) : words.t('override.each_until_step', { building: name }),
    undo: () => void bringBack(id, before),
  })
}

/** A room that had an override before has it again. */
async function bringBack(buildingId: string, before: AppRoom[]): Promise<void> {
  await putOverride({ buildingId }, null)
  await Promise.all(before.map((room) => room.override && putOverride(placeOf(room), room.override)))
}

/** What holds now and until when, with its end. */
function OverrideLine({ room, timeZone }: { room: AppRoom; timeZone: string }) {
  const { t, format } = useWords()
  const problemText = useProblemText()
  const now = useNow()
  const { override } = room
  if (!override) return null
  const end = () =>
    putOverride(placeOf(room), null).then(
      () =>
        say({
          text: t('override.is_over', { room: room.name }),
          undo: () => void putOverride(placeOf(room), override),
        }),
      (error) => say({ text: problemText(error) }),
    )
  return (
    <p className="flex flex-wrap items-center justify-between gap-2">
      <span>{overrideInWords(override, { t, format, now, timeZone })}</span>
      <Button onClick={end}>{t('override.end_now')}</Button>
    </p>
  )
}

type What = 'target' | 'off'

function OverrideDialog({ room, building, onClose }: { room: AppRoom; building: AppBuilding; onClose(): void }) {
  const { t, format } = useWords()
  const now = useNow()
  const { isBusy, problem, run } = useDeed()
  const [what, setWhat] = useState<What>('target')
  const [celsius, setCelsius] = useState(Math.min(MAX_TARGET_C, room.target_temperature + WARMER_K))
  const [end, setEnd] = useState<OverrideEnd>(USUAL_END)
  const [isEverywhere, setEverywhere] = useState(false)
  const submit = async () => {
    const change = what === 'off' ? ({ hvac_mode: 'off' } as const) : { target_temperature: celsius }
    const place = isEverywhere ? { buildingId: building.id } : placeOf(room)
    const isDone = await run(async () => {
      const changed = await putOverride(place, { ...change, ...end })
      const words = { t, format, now, timeZone: building.timezone }
      if (isEverywhere) sayAllSet(building, changed, words)
      else sayRoomSet(room, changed, words)
    })
    if (isDone) onClose()
  }
  return (
    <Dialog title={t('override.title', { room: room.name })} onClose={onClose}>
      <Form onSubmit={submit}>
        <Segmented<What>
          label={t('override.what')}
          value={what}
          choices={[
            { value: 'target', label: t('override.temperature') },
            { value: 'off', label: t('room.switch_off') },
          ]}
          onChange={setWhat}
        />
        {what === 'target' && (
          <DegreesField
            label={t('override.degrees', { unit: format.unitName })}
            value={celsius}
            min={MIN_TARGET_C}
            max={MAX_TARGET_C}
            step={0.5}
            onChange={setCelsius}
          />
        )}
        <OverrideEndChoice end={end} stepAt={room.schedule.until} timeZone={building.timezone} onChange={setEnd} />
        {building.rooms.length > 1 && (
          <Switch label={t('override.everywhere')} checked={isEverywhere} onChange={setEverywhere} />
        )}
        {problem && <Problem>{problem}</Problem>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="main" disabled={isBusy}>
            {t('override.start')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
