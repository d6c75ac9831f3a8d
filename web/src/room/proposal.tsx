import type { AppProposal, AppRoom, AppRoomPatch } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api/http.ts'
import { whatIfQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { refreshRooms } from '../schedule/put-override.ts'
import { Button, Problem } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { say } from '../ui/toast.tsx'
import { costInWords, proposalInWords } from './proposal-words.ts'

/** Another programme or target after several presses, with its cost: for a person to decide. */
export function ProposalCard({ room, proposal }: { room: AppRoom; proposal: AppProposal }) {
  const { t, format } = useWords()
  const { isBusy, problem, run } = useDeed()
  const { data: answer } = useQuery(whatIfQuery(room.id, proposal.change))
  const patch = async (change: AppRoomPatch) => {
    await api('PATCH', `/rooms/${room.id}`, change)
    await refreshRooms()
  }
  const accept = () =>
    run(async () => {
      await patch(proposal.change)
      const undo = () => void run(() => patch(planOf(room)))
      say({ text: t('proposal.accepted', { room: room.name }), undo })
    })
  const dismiss = () =>
    run(async () => {
      await api('DELETE', `/rooms/${room.id}/proposal`)
      await refreshRooms()
      say({ text: t('proposal.dismissed', { room: room.name }) })
    })
  const [reason = '', change = ''] = proposalInWords(proposal, t, format)
  return (
    <section aria-label={t('proposal.title')} className="card space-y-2 p-4">
      <h2 className="font-medium">{t('proposal.title')}</h2>
      <p className="text-soft">{reason}</p>
      <p>{change}</p>
      <p role="status" className="min-h-6 text-sm text-soft">
        {answer && costInWords(answer, t, format)}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button look="main" disabled={isBusy} onClick={accept}>
          {t('proposal.accept')}
        </Button>
        <Button disabled={isBusy} onClick={dismiss}>
          {t('proposal.dismiss')}
        </Button>
      </div>
      {problem && <Problem>{problem}</Problem>}
    </section>
  )
}

/** What the room has now, to go back to. */
const planOf = ({ target_temperature, night_mode, programme }: AppRoom): AppRoomPatch => ({
  target_temperature,
  ...(night_mode ? { night_mode } : { programme }),
})
