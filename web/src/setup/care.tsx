import type { AppBuilding, BuildingPatch } from '@hypocaust/domain'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { buildingsQuery, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem, Section } from '../ui/basics.tsx'
import { Switch } from '../ui/controls.tsx'
import { useDeed } from '../ui/form.ts'

const AWAY_C = 15

/** What holds for the whole building: frost, absence, its name. */
export function Care({ building }: { building: AppBuilding }) {
  const { t, format } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [until, setUntil] = useState('')
  const change = (patch: BuildingPatch) =>
    run(async () => {
      await api<AppBuilding>('PATCH', `/buildings/${building.id}`, patch)
      await queryClient.invalidateQueries({ queryKey: buildingsQuery.queryKey })
    })
  const leave = () => until !== '' && change({ away: { until: new Date(until).toISOString(), temperature: AWAY_C } })
  return (
    <Section title={t('care.title')}>
      <Switch
        label={t('care.frost')}
        hint={t('care.frost_hint')}
        checked={building.frost_protection}
        onChange={(frost_protection) => change({ frost_protection })}
      />
      {building.away ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p>
            {t('care.away_now', {
              until: format.moment(Date.parse(building.away.until), building.timezone),
              degrees: format.degrees(building.away.temperature),
            })}
          </p>
          <Button onClick={() => change({ away: null })} disabled={isBusy}>
            {t('care.back')}
          </Button>
        </div>
      ) : (
        <div className="flex flex-wrap items-start gap-3">
          <div className="min-w-56 flex-1">
            <Field
              label={t('care.away_until')}
              hint={t('care.away_hint', { degrees: format.degrees(AWAY_C) })}
              type="datetime-local"
              value={until}
              onChange={(event) => setUntil(event.target.value)}
            />
          </div>
          <Button className="sm:mt-6" onClick={leave} disabled={isBusy || until === ''}>
            {t('care.leave')}
          </Button>
        </div>
      )}
      {problem && <Problem>{problem}</Problem>}
    </Section>
  )
}
