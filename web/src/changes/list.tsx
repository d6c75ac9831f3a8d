import type { AppBuilding, ChangeEntry } from '@hypocaust/domain'
import { DAY_MS } from '@hypocaust/domain/facts'
import { ApiError, api } from '../api/http.ts'
import { useNow } from '../api/now.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button } from '../ui/basics.tsx'
import { useProblemText } from '../ui/form.ts'
import { say } from '../ui/toast.tsx'
import { actorInWords, changeInWords } from './words.ts'

/** Under a heading for each day, the latest first. */
export function ChangeList({ building, changes }: { building: AppBuilding; changes: ChangeEntry[] }) {
  const { t, format } = useWords()
  const now = useNow()
  const { timezone } = building
  const dayOf = (at: number) => format.date(at, timezone)
  const headings = new Map([
    [dayOf(now - DAY_MS), t('log.yesterday')],
    [dayOf(now), t('log.today')],
  ])
  const days = Map.groupBy(changes, ({ at }) => dayOf(Date.parse(at)))
  return [...days].map(([day, entries]) => (
    <section key={day} aria-label={headings.get(day) ?? day}>
      <h2 className="pt-2 pb-1 font-semibold">{headings.get(day) ?? day}</h2>
      <ul className="card divide-y divide-line">
        {entries.map((change) => (
          <ChangeLine key={change.sequence} change={change} building={building} />
        ))}
      </ul>
    </section>
  ))
}

function ChangeLine({ change, building }: { change: ChangeEntry; building: AppBuilding }) {
  const { t, format } = useWords()
  const problemText = useProblemText()
  const what = changeInWords(change, { t, format, timeZone: building.timezone })
  const undo = async () => {
    try {
      await api('POST', `/buildings/${building.id}/changes/${change.sequence}/undo`)
      say({ text: t('log.undone') })
      await queryClient.invalidateQueries({ queryKey: buildingsKey })
    } catch (error) {
      const isLate = error instanceof ApiError && error.code === 'taken'
      say({ text: isLate ? t('log.changed_since') : problemText(error) })
    }
    await queryClient.invalidateQueries({ queryKey: ['changes', building.id] })
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 px-4 py-2 sm:flex-nowrap">
      <time dateTime={change.at} className="w-12 shrink-0 self-start text-soft tabular-nums">
        {format.clock(Date.parse(change.at), building.timezone)}
      </time>
      <div className="min-w-0 flex-1 basis-[calc(100%-5rem)] sm:basis-0">
        <p className="break-words">{what}</p>
        <p className="break-words text-sm text-soft">{actorInWords(change, t)}</p>
      </div>
      {change.can_undo && (
        <Button className="ml-15 px-3 text-sm sm:ml-0" onClick={undo} aria-label={t('log.undo_named', { what })}>
          {t('undo')}
        </Button>
      )}
    </li>
  )
}
