import type { AppBuilding } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useNow } from '../api/now.ts'
import { weatherSourceQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Section } from '../ui/basics.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { ForExperts } from '../ui/experts.tsx'

/** Where the weather comes from and who thereby learns the place; without a source, how to get one. */
export function WeatherFrom({ building }: { building: AppBuilding }) {
  const { t, format } = useWords()
  const now = useNow()
  const source = useQuery(weatherSourceQuery).data?.source
  const { weather, timezone } = building
  return (
    <Section title={t('weather.title')}>
      {source && <p>{t(`weather.from_${source}`)}</p>}
      {source === 'none' && (
        <ForExperts>
          <CopyField label={t('weather.set')} value="weather: open-meteo" />
        </ForExperts>
      )}
      {weather && (
        <p className="text-sm text-soft">
          {t('weather.now', {
            degrees: format.degrees(weather.temperature),
            time: format.since(Date.parse(weather.updated), now, timezone),
          })}
        </p>
      )}
      {!weather && source && source !== 'none' && <p className="text-sm text-soft">{t('weather.not_yet')}</p>}
    </Section>
  )
}
