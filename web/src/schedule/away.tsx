import type { AppBuilding } from '@hypocaust/domain'
import { mayDo } from '@hypocaust/domain/facts'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useNow } from '../api/now.ts'
import { outlookQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { withWords } from '../i18n/languages.ts'
import { Button, Problem } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { part } from '../ui/part.tsx'
import { absenceInWords } from './absence.ts'
import { setAway } from './set-away.ts'

const AwayDialog = part(withWords(() => import('./away-dialog.tsx')))

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

/** While away, or before: until when, from when it is heated for the return, and the way back. */
export function AwayCard({ building }: { building: AppBuilding }) {
  const { t, format } = useWords()
  const now = useNow()
  const { isBusy, problem, run } = useDeed()
  const { away, timezone } = building
  const heatsFrom = useHeatsFrom(building)
  const absence = absenceInWords(building, { t, format, now, timeZone: timezone })
  if (!away || !absence) return null
  const names = building.rooms.filter(({ id }) => away.room_ids?.includes(id)).map(({ name }) => name)
  const { isAhead, from, until } = absence
  const values = { from, until, degrees: format.degrees(away.temperature) }
  return (
    <section aria-label={t('away.away')} className="card mb-3 flex flex-wrap items-center justify-between gap-3 p-4">
      <div>
        <p className="font-medium">{t(isAhead ? 'away.ahead' : 'care.away_now', values)}</p>
        {names.length > 0 && <p className="text-sm text-soft">{names.join(', ')}</p>}
        {away.until !== null && (
          <p className="text-sm text-soft">
            {heatsFrom === undefined
              ? t('away.heats')
              : t('away.heats_from', { time: format.until(Date.parse(heatsFrom), now, timezone) })}
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
