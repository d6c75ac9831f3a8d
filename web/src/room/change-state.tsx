import { retryChange, useRoomChange } from '../api/room-changes.ts'
import { useWords } from '../i18n/index.tsx'
import { useProblemText } from '../ui/form.ts'
import { Icon } from '../ui/icon.tsx'

/** What went wrong, with "try again". */
export function ChangeState({ roomId }: { roomId: string }) {
  const { t } = useWords()
  const change = useRoomChange(roomId)
  const problem = useProblemText()
  return (
    <div aria-live="polite" className="text-sm">
      {change.kind === 'failed' && (
        <span className="text-alert">
          <Icon name="warning" className="mr-1 inline size-4" />
          {t(change.error.code === 'no_answer' ? 'change.unsure' : 'change.failed', { why: problem(change.error) })}{' '}
          <button type="button" onClick={() => retryChange(roomId)} className="min-h-6 font-semibold underline">
            {t('try_again')}
          </button>
        </span>
      )}
    </div>
  )
}
