import { useWords } from '../i18n/index.tsx'
import { Button, Problem } from './basics.tsx'
import { Dialog } from './dialog.tsx'
import { useDeed } from './form.ts'

interface Props {
  title: string
  text: string
  /** What the button says that cannot be undone. */
  action: string
  onConfirm(): Promise<unknown>
  onDone(): unknown
  onClose(): void
}

/** Asks before something is lost; stays open with the reason when it fails. */
export function ConfirmDialog({ title, text, action, onConfirm, onDone, onClose }: Props) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const confirm = async () => {
    if (await run(onConfirm)) onDone()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {problem && <Problem>{problem}</Problem>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button look="danger" onClick={confirm} disabled={isBusy}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
