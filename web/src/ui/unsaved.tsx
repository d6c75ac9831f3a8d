import { useEffect, useRef, useState } from 'react'
import { useWords } from '../i18n/index.tsx'
import { guardLeaving } from '../routing/navigation.ts'
import { Button } from './basics.tsx'
import { Dialog } from './dialog.tsx'

/** Asks before what was entered and not saved is lost, also when the page is closed. */
export function UnsavedGuard({ isDirty }: { isDirty: () => boolean }) {
  const { t } = useWords()
  const latest = useRef(isDirty)
  latest.current = isDirty
  const [proceed, setProceed] = useState<() => void>()
  useEffect(
    () =>
      guardLeaving((go) => {
        const isFree = !latest.current()
        if (!isFree) setProceed(() => go)
        return isFree
      }),
    [],
  )
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => latest.current() && event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  if (!proceed) return null
  const stay = () => setProceed(undefined)
  return (
    <Dialog title={t('unsaved.title')} onClose={stay}>
      <p>{t('unsaved.text')}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={stay}>{t('unsaved.stay')}</Button>
        <Button look="danger" onClick={proceed}>
          {t('unsaved.leave')}
        </Button>
      </div>
    </Dialog>
  )
}
