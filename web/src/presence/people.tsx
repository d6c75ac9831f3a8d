import type { AppBuilding, Presence, PresencePut } from '@hypocaust/domain'
import { MOST_PEOPLE, NAME_MAX_LENGTH } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { useNow } from '../api/now.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem, Section } from '../ui/basics.tsx'
import { Segmented } from '../ui/controls.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { Initial } from '../ui/initial.tsx'

type Person = Presence['people'][number]

/** Everyone who has been reported, each as last heard; a person may also say so here. */
export function People({ building, people }: { building: AppBuilding; people: Person[] }) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [draft, setDraft] = useState('')
  const report = (person: PresencePut['people'][number]) =>
    run(async () => {
      await api<AppBuilding>('PUT', `/buildings/${building.id}/presence`, { people: [person] })
      await Promise.all([buildingsKey, ['outlook']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
    })
  const add = async () => {
    if (await report({ name: draft, home: true })) setDraft('')
  }
  return (
    <Section title={t('presence.people')}>
      {people.length === 0 ? (
        <p className="text-soft">{t('presence.nobody_known')}</p>
      ) : (
        <ul className="divide-y divide-line">
          {people.map((person) => (
            <PersonRow
              key={person.name}
              person={person}
              timeZone={building.timezone}
              isBusy={isBusy}
              onReport={report}
            />
          ))}
        </ul>
      )}
      {people.length < MOST_PEOPLE && (
        <Form className="flex flex-wrap items-end gap-2" onSubmit={() => add()}>
          <Field
            label={t('presence.new')}
            required
            maxLength={NAME_MAX_LENGTH}
            autoComplete="off"
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
          <Button type="submit" disabled={isBusy}>
            {t('presence.add')}
          </Button>
        </Form>
      )}
      <p className="text-sm text-soft">{t('presence.sources')}</p>
      {problem && <Problem>{problem}</Problem>}
    </Section>
  )
}

interface PersonProps {
  person: Person
  timeZone: string
  isBusy: boolean
  onReport(person: PresencePut['people'][number]): Promise<unknown>
}

function PersonRow({ person: { name, home, changed_at, reported_at }, timeZone, isBusy, onReport }: PersonProps) {
  const { t, format } = useWords()
  const now = useNow()
  const time = (at: string) => format.since(Date.parse(at), now, timeZone)
  const state = home === null ? 'unknown' : home ? 'home' : 'away'
  return (
    <li className="space-y-2 py-3">
      <div className="flex items-center gap-3">
        <Initial name={name} />
        <div className="min-w-0 flex-1">
          <p className="break-words font-medium">{name}</p>
          <p className="text-sm text-soft">
            {t(`presence.${state}_since`, { time: time(home === null ? reported_at : changed_at) })}
          </p>
        </div>
        <Button
          look="quiet"
          disabled={isBusy}
          aria-label={t('presence.forget_named', { name })}
          onClick={() => onReport({ name, home: null })}
        >
          {t('presence.forget')}
        </Button>
      </div>
      <Segmented
        label={t('presence.of', { name })}
        value={state === 'unknown' ? undefined : state}
        choices={(['home', 'away'] as const).map((value) => ({ value, label: t(`presence.${value}`) }))}
        onChange={(value) => onReport({ name, home: value === 'home' })}
      />
    </li>
  )
}
