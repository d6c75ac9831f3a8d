import type { AllRoomsPut, AppBuilding, ChangeSet } from '@hypocaust/domain'
import { LOWER_ALL_BY_K, mayDo } from '@hypocaust/domain/facts'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Problem, Summary } from '../ui/basics.tsx'
import { useDeed, useProblemText } from '../ui/form.ts'
import { say } from '../ui/toast.tsx'

const refresh = () =>
  Promise.all([buildingsKey, ['outlook'], ['changes']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))

/** Lowers, turns off or brings back the whole house, with the way back. */
export function AllRooms({ building }: { building: AppBuilding }) {
  const { t, format } = useWords()
  const { isBusy, problem, run } = useDeed()
  const problemText = useProblemText()
  if (building.rooms.length < 2 || !mayDo(building.role, 'away')) return null
  const degrees = format.kelvin(LOWER_ALL_BY_K)
  const path = `/buildings/${building.id}`
  const undo = async (made: ChangeSet) => {
    say({ text: t('change.sending') })
    try {
      await api('POST', `${path}/changes/undo`, made)
      await refresh()
      say({ text: t('all.undone') })
    } catch (error) {
      say({ text: problemText(error) })
    }
  }
  const change = (action: AllRoomsPut['action']) =>
    run(async () => {
      const made = await api<ChangeSet>('POST', `${path}/all-rooms`, { action })
      await refresh()
      say({ text: t(`all.${action}_done`, { degrees }), undo: () => void undo(made) })
    })
  return (
    <details className="group mb-2">
      <Summary>{t('all.rooms')}</Summary>
      <div className="flex flex-wrap gap-2 pb-2">
        <Button disabled={isBusy} onClick={() => change('lower')}>
          {t('all.lower', { degrees })}
        </Button>
        <Button disabled={isBusy} onClick={() => change('off')}>
          {t('all.off')}
        </Button>
        <Button disabled={isBusy} onClick={() => change('back')}>
          {t('all.back')}
        </Button>
      </div>
      {problem && <Problem>{problem}</Problem>}
    </details>
  )
}
