import type { AppBuilding, AppLoops } from '@hypocaust/domain'
import { mayDo } from '@hypocaust/domain/facts'
import { api } from '../api/http.ts'
import { useNow } from '../api/now.ts'
import { buildingsKey, loopsQuery, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { setpointOf } from '../room/words.ts'
import { Button, Problem } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'

/** Rooms this far below what they are set to are named. */
const COOL_K = 0.5

/** A search or test of the loops, wherever its rooms are seen: how far it is, until when, which rooms cool, and its end. */
export function LoopSearch({ building }: { building: AppBuilding }) {
  const { t, format } = useWords()
  const now = useNow()
  const { isBusy, problem, run: perform } = useDeed()
  const { loop_run: run, rooms, timezone } = building
  if (!run) return null
  const isSearch = run.kind === 'loop-search'
  const time = format.until(Date.parse(run.ends_by), now, timezone)
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
