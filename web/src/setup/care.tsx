import type { AppBuilding, BuildingPatch, NewAway } from '@hypocaust/domain'
import { AWAY_C } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { useNow } from '../api/now.ts'
import { buildingsQuery, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem, Section } from '../ui/basics.tsx'
import { Switch } from '../ui/controls.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { localTimeOf, momentOf } from '../ui/local-time.ts'
import { DegreesField } from '../ui/number-field.tsx'

const USUAL_AWAY_C = 15
/** Where the heating control begins to protect pipes. */
const FROST_C = 5

/** What holds for the whole building: frost, saving and absence. */
export function Care({ building }: { building: AppBuilding }) {
  const { t, format } = useWords()
  const { isBusy, problem, run } = useDeed()
  const change = (patch: BuildingPatch) =>
    run(async () => {
      await api<AppBuilding>('PATCH', `/buildings/${building.id}`, patch)
      await queryClient.invalidateQueries({ queryKey: buildingsQuery.queryKey })
    })
  const { away, timezone } = building
  return (
    <Section title={t('care.title')}>
      <Switch
        label={t('care.frost')}
        hint={t('care.frost_hint', { degrees: format.degrees(FROST_C) })}
        checked={building.frost_protection}
        onChange={(frost_protection) => change({ frost_protection })}
      />
      <Switch
        label={t('care.saving')}
        hint={t('care.saving_hint')}
        checked={building.saving}
        onChange={(saving) => change({ saving })}
      />
      {away ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p>
            {t('care.away_now', {
              until: format.moment(Date.parse(away.until), timezone),
              degrees: format.degrees(away.temperature),
            })}
          </p>
          <Button onClick={() => change({ away: null })} disabled={isBusy}>
            {t('care.back')}
          </Button>
        </div>
      ) : (
        <Leaving timezone={timezone} isBusy={isBusy} onLeave={(next) => change({ away: next })} />
      )}
      {problem && <Problem>{problem}</Problem>}
    </Section>
  )
}

interface LeavingProps {
  timezone: string
  isBusy: boolean
  onLeave(away: NewAway): void
}

/** By the clocks of the building: a traveller may already be in another time zone. */
function Leaving({ timezone, isBusy, onLeave }: LeavingProps) {
  const { t, format } = useWords()
  const [until, setUntil] = useState('')
  const [temperature, setTemperature] = useState(USUAL_AWAY_C)
  const soonest = localTimeOf(useNow(), timezone)
  return (
    <Form
      className="space-y-3"
      onSubmit={() => onLeave({ until: new Date(momentOf(until, timezone)).toISOString(), temperature })}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label={t('care.away_until')}
          hint={t('care.away_hint')}
          type="datetime-local"
          required
          min={soonest}
          value={until}
          onChange={(event) => setUntil(event.target.value)}
        />
        <DegreesField
          label={t('care.away_temperature', { unit: format.unitName })}
          hint={t('care.away_temperature_hint')}
          value={temperature}
          min={AWAY_C.minimum}
          max={AWAY_C.maximum}
          step={0.5}
          onChange={setTemperature}
        />
      </div>
      <Button type="submit" disabled={isBusy}>
        {t('care.leave')}
      </Button>
    </Form>
  )
}
