import type { AppBuilding, AppLoops } from '@hypocaust/domain'
import { mayDo } from '@hypocaust/domain/facts'
import { api } from '../api/http.ts'
import { useNow } from '../api/now.ts'
import { buildingsKey, loopsQuery, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { setpointOf } from '../room/words.ts'
import { Button, ButtonLink, Problem } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'

/** Rooms this far below what they are set to are named. */
const COOL_K = 0.5

/** What holds the loops of a building, wherever its rooms are seen: how far it is, until when, which rooms cool, and its end. */
export function LoopSearch({ building }: { building: AppBuilding }) {
  const { t, format } = useWords()
  const now = useNow()
  const { isBusy, problem, run: perform } = useDeed()
  const { loop_run: run, rooms, timezone } = building
  if (!run) return null
  const time = format.until(Date.parse(run.ends_by), now, timezone)
  if (run.kind === 'screed-heating') return <ScreedHeating building={building} time={time} />
  const isSearch = run.kind === 'loop-search'
  const cool = rooms.filter(
    (room) =>
      room.loops_held && room.current_temperature !== null && room.current_temperature < setpointOf(room) - COOL_K,
  )
  const stop = () =>
    perform(async () => {
      const loops = await api<AppLoops>('DELETE', `/buildings/${building.id}/loops/run`)
      queryClient.setQueryData(loopsQuery(building.id).queryKey, loops)
      await Promise.all([buildingsKey, ['outlook']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
    })
  return (
    <section aria-label={t(isSearch ? 'search.title' : 'search.test_title')} className="card mb-3 space-y-2 p-4">
      <h2 className="font-semibold">{t(isSearch ? 'search.title' : 'search.test_title')}</h2>
      {isSearch && (
        <>
          <progress className="bar" value={run.done} max={run.all} aria-label={t('search.title')} />
          <p>
            {t('loops.progress', { done: run.done, all: run.all })} · {t('search.ends_by', { time })}
          </p>
          <p className="text-soft">
            {cool.length > 0
              ? t('search.cool', {
                  rooms: cool
                    .map((room) => `${room.name} ${format.degrees(room.current_temperature ?? 0)}°`)
                    .join(', '),
                })
              : t('search.none_cool')}
          </p>
        </>
      )}
      {!isSearch && <p>{t('search.test_until', { time })}</p>}
      {problem && <Problem>{problem}</Problem>}
      {mayDo(building.role, 'set_up') && (
        <Button onClick={stop} disabled={isBusy}>
          {t(isSearch ? 'loops.stop_search' : 'loops.stop_test')}
        </Button>
      )}
    </section>
  )
}

/** It is ended on its own page, as that ends its record. */
function ScreedHeating({ building, time }: { building: AppBuilding; time: string }) {
  const { t } = useWords()
  return (
    <section aria-label={t('screed.title')} className="card mb-3 space-y-2 p-4">
      <h2 className="font-semibold">{t('screed.title')}</h2>
      <p>{t('screed.until', { time })}</p>
      {mayDo(building.role, 'set_up') && (
        <ButtonLink to="/buildings/$buildingId/screed" params={{ buildingId: building.id }}>
          {t('screed.open_page')}
        </ButtonLink>
      )}
    </section>
  )
}
