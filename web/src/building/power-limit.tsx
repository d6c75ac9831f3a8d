import type { AppBuilding } from '@hypocaust/domain'
import { MINUTE_MS } from '@hypocaust/domain/facts'
import { useNow } from '../api/now.ts'
import { useWords } from '../i18n/index.tsx'

/** While the grid limits the heat source, or before: how much it leaves, and what the rooms do. */
export function PowerLimitCard({ building }: { building: AppBuilding }) {
  const { t, format } = useWords()
  const now = useNow()
  const { power_limit: limit, timezone } = building
  if (!limit || Date.parse(limit.until) <= now) return null
  const time = (at: string) => format.until(Date.parse(at), now, timezone)
  const values = { from: time(limit.from), until: time(limit.until), power: format.decimal(limit.limit_w / 1000) }
  // The page's clock is coarse: one that begins within the minute has begun.
  const isAhead = Date.parse(limit.from) > now + MINUTE_MS
  return (
    <section aria-label={t('power_limit.title')} className="card mb-3 p-4">
      <p className="font-medium">{t(isAhead ? 'power_limit.ahead' : 'power_limit.now', values)}</p>
      <p className="text-sm text-soft">{t(isAhead ? 'power_limit.preheats' : 'power_limit.shares')}</p>
    </section>
  )
}
