import { useWords } from '../i18n/index.tsx'
import { Button } from '../ui/basics.tsx'
import { saveJson } from '../ui/save-json.ts'

/** To print, and as a file. */
export function TakeAway({ name, value }: { name: string; value: unknown }) {
  const { t } = useWords()
  return (
    <>
      <Button icon="download" onClick={() => print()}>
        {t('record.print')}
      </Button>
      <Button icon="download" onClick={() => saveJson(name, value)}>
        {t('record.json')}
      </Button>
    </>
  )
}
