import type { AppBuilding, AppRoom } from '@hypocaust/domain'
import { mayDo } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { calendarsQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Awaited } from '../ui/awaited.tsx'
import { ButtonLink, Section } from '../ui/basics.tsx'
import { effectInWords, timeInWords } from './words.ts'

const MOST_SHOWN = 12

interface Props {
  building: AppBuilding
  room: AppRoom
}

/** The events ahead from which something follows in this room; dates that a person set go first. */
export function CalendarDates({ building, room }: Props) {
  return mayDo(building.role, 'plan') ? <Dates building={building} room={room} /> : null
}

function Dates({ building, room }: Props) {
  const words = useWords()
  const { t } = words
  const calendars = useQuery(calendarsQuery(building.id))
  const ahead = (calendars.data?.calendars ?? []).flatMap(({ id, events, rules }) =>
    events.flatMap((event) => {
      const rule = rules[event.rule ?? -1]
      const isHere = rule && (rule.room_ids === null || rule.room_ids.includes(room.id))
      return isHere ? [{ id, event, rule }] : []
    }),
  )
  const shown = ahead.toSorted((a, b) => (a.event.starts_at < b.event.starts_at ? -1 : 1)).slice(0, MOST_SHOWN)
  return (
    <Section title={t('calendars.dates')}>
      <p className="text-sm text-soft">{t('calendars.dates_hint')}</p>
      <Awaited of={[calendars]} />
      <ul className="divide-y divide-line">
        {shown.map(({ id, event, rule }) => (
          <li key={`${id} ${event.starts_at} ${event.title}`} className="py-2">
            <p>{timeInWords(event, building.timezone, words)}</p>
            <p className="break-words text-sm text-soft">{[event.title, effectInWords(rule, words)].join(' · ')}</p>
          </li>
        ))}
      </ul>
      <ButtonLink to={`/buildings/${building.id}/calendars`}>{t('building.calendars')}</ButtonLink>
    </Section>
  )
}
