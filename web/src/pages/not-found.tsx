import { useWords } from '../i18n/index.tsx'
import { ButtonLink, Empty, PageTitle } from '../ui/basics.tsx'

export function NotFoundPage() {
  const { t } = useWords()
  return (
    <>
      <PageTitle>{t('not_found.title')}</PageTitle>
      <Empty icon="door" title={t('not_found.text')}>
        <ButtonLink to="/" look="main">
          {t('nav.home')}
        </ButtonLink>
      </Empty>
    </>
  )
}
