import { useWords } from '../i18n/index.tsx'
import { Button } from './basics.tsx'

/** The end of a dialog that only shows something. */
export function DoneRow({ onClose }: { onClose(): void }) {
  const { t } = useWords()
  return (
    <div className="flex justify-end">
      <Button look="main" onClick={onClose}>
        {t('done')}
      </Button>
    </div>
  )
}
