import { useQuery } from '@tanstack/react-query'
import { releaseQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Section } from '../ui/basics.tsx'
import { plainNotes } from './plain-notes.ts'

/** Nothing is shown where this version is the newest, or nobody is asked. */
export function NewerRelease() {
  const { t } = useWords()
  const { data } = useQuery(releaseQuery)
  if (!data?.latest) return null
  const { version, notes, url } = data.latest
  return (
    <Section title={t('release.title', { version })}>
      {notes && <p className="line-clamp-8 text-sm whitespace-pre-line text-soft">{plainNotes(notes)}</p>}
      <p>{t(`release.how_${data.installed_as}`)}</p>
      <a className="inline-flex min-h-11 items-center underline" href={url} target="_blank" rel="noreferrer">
        {t('release.read')}
      </a>
    </Section>
  )
}
