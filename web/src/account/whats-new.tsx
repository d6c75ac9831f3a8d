import { useWords } from '../i18n/index.tsx'
import { Button } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** Of the change log, put in by the build: the newest first, in English. */
declare const WHATS_NEW: string[]

/** Written once, in English: the change log is. */
export default function WhatsNew({ onClose }: { onClose(): void }) {
  const { t } = useWords()
  return (
    <Dialog title={t('news.title')} onClose={onClose}>
      <ul lang="en" className="list-disc space-y-2 pl-5">
        {WHATS_NEW.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <div className="flex justify-end">
        <Button look="main" onClick={onClose}>
          {t('done')}
        </Button>
      </div>
    </Dialog>
  )
}
