import { useWords } from '../i18n/index.tsx'
import { Button, PageTitle, Problem } from '../ui/basics.tsx'

/** A page that could not be drawn, or whose parts could not be loaded. */
export function BrokenPage() {
  const { t } = useWords()
  return (
    <div className="space-y-4">
      <PageTitle>{t('nav.home')}</PageTitle>
      <Problem>{t('problem.unknown')}</Problem>
      <Button onClick={() => location.reload()}>{t('reload')}</Button>
    </div>
  )
}
