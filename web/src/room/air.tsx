import type { AppRoom } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useNow } from '../api/now.ts'
import { airQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { airInWords, mouldAdvice } from './air-words.ts'

/** A quiet line about the air, and a second one where mould may grow. Nothing where no humidity is measured. */
export function AirLine({ room, timeZone }: { room: AppRoom; timeZone: string }) {
  const { t, format } = useWords()
  const now = useNow()
  const { data: air } = useQuery(airQuery(room.id))
  if (!air) return null
  const around = { t, format, now, timeZone }
  const line = airInWords({ ...air, humidity: room.current_humidity }, around)
  const advice = mouldAdvice(air, around)
  return (
    <>
      {line.length > 0 && (
        <p className="mt-1 flex flex-wrap gap-x-4 text-soft">
          {line.map((each) => (
            <span key={each}>{each}</span>
          ))}
        </p>
      )}
      {advice.length > 0 && <p className="mt-1">{advice.join(' ')}</p>}
    </>
  )
}
