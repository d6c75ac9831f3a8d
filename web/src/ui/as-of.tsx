import { answeredAtOf, useFreshness } from '../api/freshness.ts'
import type { Zone } from '../i18n/formats.ts'
import { useWords } from '../i18n/index.tsx'

/** Without a connection: from when this is. Pages seen at different times have different ages. */
export function AsOf({ path, timeZone }: { path: string; timeZone: Zone }) {
  const { t, format } = useWords()
  const freshness = useFreshness()
  const atMs = answeredAtOf(path)
  if (freshness.kind === 'live' || atMs === undefined) return null
  return <p className="text-sm text-soft">{t('old.as_of', { time: format.since(atMs, Date.now(), timeZone) })}</p>
}
