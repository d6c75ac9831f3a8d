import type { AppBuilding, Calendar } from '@hypocaust/domain'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Problem, Summary } from '../ui/basics.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { CalendarDialog } from './dialog.tsx'
import { refreshCalendars } from './refresh.ts'
import { effectInWords, ruleInWords, timeInWords } from './words.ts'

interface Props {
  building: AppBuilding
  calendar: Calendar
}

/** Where a calendar comes from, its rules as sentences, and its next events. */
export function CalendarCard({ building, calendar }: Props) {
  const words = useWords()
  const { t, format } = words
  const [open, setOpen] = useState<'edit' | 'remove'>()
  const { name, host, checked_at, problem, unreadable, rules } = calendar
  const facts = [
    host ?? t('calendars.file'),
    ...(checked_at === null
      ? []
      : [t('calendars.checked', { time: format.moment(Date.parse(checked_at), building.timezone) })]),
    ...(unreadable > 0 ? [t('calendars.unreadable', { n: unreadable })] : []),
  ]
  return (
    <>
      <div className="min-w-0">
        <h2 className="break-words font-medium">{name}</h2>
        <p className="break-words text-sm text-soft">{facts.join(' · ')}</p>
      </div>
      {problem !== null && <Problem>{t(`calendars.problem_${problem}`)}</Problem>}
      {rules.length === 0 ? (
        <p className="text-soft">{t('calendars.no_rules')}</p>
      ) : (
        <ul className="list-disc space-y-1 pl-5">
          {rules.map((rule, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no other name
            <li key={i}>{ruleInWords(rule, building.rooms, words)}</li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setOpen('edit')} aria-label={t('calendars.edit_named', { name })}>
          {t('calendars.edit')}
        </Button>
        <Button look="danger" onClick={() => setOpen('remove')} aria-label={t('calendars.remove_named', { name })}>
          {t('calendars.remove')}
        </Button>
      </div>
      <details className="group">
        <Summary>{t('calendars.next_events')}</Summary>
        <Events building={building} calendar={calendar} />
      </details>
      {open === 'edit' && <CalendarDialog building={building} calendar={calendar} onClose={() => setOpen(undefined)} />}
      {open === 'remove' && (
        <ConfirmDialog
          title={t('calendars.remove_title')}
          text={t('calendars.remove_text', { name })}
          action={t('calendars.remove_deed')}
          onConfirm={async () => {
            await api('DELETE', `/buildings/${building.id}/calendars/${calendar.id}`)
            await refreshCalendars()
          }}
          onDone={() => setOpen(undefined)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

function Events({ building, calendar: { events, rules } }: Props) {
  const words = useWords()
  const { t } = words
  if (events.length === 0) return <p className="text-soft">{t('calendars.no_events')}</p>
  return (
    <ul className="divide-y divide-line">
      {events.map((event) => {
        const rule = event.rule === null ? undefined : rules[event.rule]
        return (
          <li key={`${event.starts_at} ${event.title}`} className="py-2">
            <p className="break-words">{event.title}</p>
            <p className="text-sm text-soft">
              {[
                timeInWords(event, building.timezone, words),
                rule ? effectInWords(rule, words) : t('calendars.does_nothing'),
              ].join(' · ')}
            </p>
          </li>
        )
      })}
    </ul>
  )
}
