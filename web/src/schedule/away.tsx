import type { AppBuilding, NewAway } from '@hypocaust/domain'
import { AWAY_C, MINUTE_MS, mayDo, USUAL_AWAY_C } from '@hypocaust/domain/facts'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { useNow } from '../api/now.ts'
import { buildingsKey, outlookQuery, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem, Summary } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { localTimeOf, momentOf } from '../ui/local-time.ts'
import { DegreesField } from '../ui/number-field.tsx'
import { say } from '../ui/toast.tsx'
import { usualReturns } from './ends.ts'

/** Away in two taps: the button, and until when. */
export function AwayButton({ building }: { building: AppBuilding }) {
  const { t } = useWords()
  const [isOpen, setOpen] = useState(false)
  if (building.away || building.rooms.length === 0 || !mayDo(building.role, 'away')) return null
  return (
    <>
      <Button icon="door" onClick={() => setOpen(true)}>
        {t('away.away')}
      </Button>
      {isOpen && <AwayDialog building={building} onClose={() => setOpen(false)} />}
    </>
  )
}

const stampOf = (atMs: number): string => new Date(atMs).toISOString()

async function setAway(buildingId: string, away: NewAway | null): Promise<void> {
  await api<AppBuilding>('PATCH', `/buildings/${buildingId}`, { away })
  await Promise.all([buildingsKey, ['outlook']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

function AwayDialog({ building, onClose }: { building: AppBuilding; onClose(): void }) {
  const { t, format } = useWords()
  const now = useNow()
  const { id, timezone } = building
  const { isBusy, problem, run } = useDeed()
  const [temperature, setTemperature] = useState(USUAL_AWAY_C)
  const [chosen, setChosen] = useState<string[]>([])
  const leave = async (times: Pick<NewAway, 'from' | 'until'>) => {
    const away = { ...times, temperature, ...(chosen.length > 0 && { room_ids: chosen }) }
    if (!(await run(() => setAway(id, away)))) return
    const text =
      times.until === null
        ? t('away.is_set_open')
        : t('away.is_set', { until: format.until(Date.parse(times.until), now, timezone) })
    say({ text, undo: () => void setAway(id, null) })
    onClose()
  }
  return (
    <Dialog title={t('away.until_when')} onClose={onClose}>
      <div className="grid gap-2 sm:grid-cols-2">
        {usualReturns(now, timezone).map(({ key, atMs }) => (
          <Button key={key} disabled={isBusy} onClick={() => leave({ until: stampOf(atMs) })}>
            <span>{t(`away.${key}`)}</span>
            <span className="text-soft">{format.until(atMs, now, timezone)}</span>
          </Button>
        ))}
        <Button disabled={isBusy} onClick={() => leave({ until: null })}>
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
  onTemperature(celsius: number): void
  onChosen(roomIds: string[]): void
  onLeave(times: Pick<NewAway, 'from' | 'until'>): void
}

/** Any times, by the clocks of the building: a traveller may already be in another time zone. */
function OtherTimes(props: OtherProps) {
  const { t, format } = useWords()
  const { timezone, rooms } = props.building
  const soonest = localTimeOf(useNow(), timezone)
  const [from, setFrom] = useState('')
  const [until, setUntil] = useState('')
  const toggle = (id: string) =>
    props.onChosen(props.chosen.includes(id) ? props.chosen.filter((each) => each !== id) : [...props.chosen, id])
  const submit = () =>
    props.onLeave({
      ...(from !== '' && { from: stampOf(momentOf(from, timezone)) }),
      until: stampOf(momentOf(until, timezone)),
    })
  return (
    <Form className="space-y-3" onSubmit={submit}>
      <Field
        label={t('away.from')}
        hint={t('away.from_hint')}
        type="datetime-local"
        min={soonest}
        value={from}
        onChange={({ target }) => setFrom(target.value)}
      />
      <Field
        label={t('care.away_until')}
        hint={t('care.away_hint')}
        type="datetime-local"
        required
        min={from || soonest}
        value={until}
        onChange={({ target }) => setUntil(target.value)}
      />
      <DegreesField
        label={t('care.away_temperature', { unit: format.unitName })}
        value={props.temperature}
        min={AWAY_C.minimum}
        max={AWAY_C.maximum}
        step={0.5}
        onChange={props.onTemperature}
      />
      <fieldset className="space-y-1">
        <legend className="text-sm font-medium">{t('away.rooms')}</legend>
        <p className="text-sm text-soft">{t('away.rooms_hint')}</p>
        {rooms.map(({ id, name }) => (
          <label key={id} className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              className="size-5 accent-ink"
              checked={props.chosen.includes(id)}
              onChange={() => toggle(id)}
            />
            {name}
          </label>
        ))}
      </fieldset>
      <Button type="submit" look="main" disabled={props.isBusy}>
        {t('care.leave')}
      </Button>
    </Form>
  )
}

/** While away, or before: until when, from when it is heated for the return, and the way back. */
export function AwayCard({ building }: { building: AppBuilding }) {
  const { t, format } = useWords()
  const now = useNow()
  const { isBusy, problem, run } = useDeed()
  const { away, timezone } = building
  const heatsFrom = useHeatsFrom(building)
  if (!away) return null
  const time = (at: string) => format.until(Date.parse(at), now, timezone)
  const names = building.rooms.filter(({ id }) => away.room_ids?.includes(id)).map(({ name }) => name)
  const until = away.until === null ? t('away.until_back') : time(away.until)
  const values = { from: time(away.from), until, degrees: format.degrees(away.temperature) }
  // The page's clock is coarse: one that begins within the minute has begun.
  const isAhead = Date.parse(away.from) > now + MINUTE_MS
  return (
    <section aria-label={t('away.away')} className="card mb-3 flex flex-wrap items-center justify-between gap-3 p-4">
      <div>
        <p className="font-medium">{t(isAhead ? 'away.ahead' : 'care.away_now', values)}</p>
        {names.length > 0 && <p className="text-sm text-soft">{names.join(', ')}</p>}
        {away.until !== null && (
          <p className="text-sm text-soft">
            {heatsFrom === undefined ? t('away.heats') : t('away.heats_from', { time: time(heatsFrom) })}
          </p>
        )}
        {problem && <Problem>{problem}</Problem>}
      </div>
      <Button disabled={isBusy} onClick={() => run(() => setAway(building.id, null))}>
        {t(isAhead ? 'away.cancel' : 'care.back')}
      </Button>
    </section>
  )
}

/** When the first room is heated for the return, once the plan looks as far. */
function useHeatsFrom({ away, rooms }: AppBuilding): string | undefined {
  const outlooks = useQueries({ queries: away ? rooms.map(({ id }) => outlookQuery(id)) : [] })
  const starts = outlooks.flatMap(({ data }) =>
    data?.warm_up && data.warm_up.at === away?.until ? (data.warm_up.heats_from ?? []) : [],
  )
  return [...starts].sort()[0]
}
