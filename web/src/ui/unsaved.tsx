import { useBlocker } from '@tanstack/react-router'
import { useWords } from '../i18n/index.tsx'
import { Button } from './basics.tsx'
import { Dialog } from './dialog.tsx'

/** Asks before what was entered and not saved is lost, also when the page is closed. */
export function UnsavedGuard({ isDirty }: { isDirty: () => boolean }) {
  const { t } = useWords()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: isDirty,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Dialog title={t('unsaved.title')} onClose={reset}>
      <p>{t('unsaved.text')}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={reset}>{t('unsaved.stay')}</Button>
        <Button look="danger" onClick={proceed}>
          {t('unsaved.leave')}
        </Button>
      </div>
    </Dialog>
  )
}
