import type { AppRoom } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useNow } from '../api/now.ts'
import { explanationQuery, outlookQuery, promisesQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { AsOf } from '../ui/as-of.tsx'
import { Awaited } from '../ui/awaited.tsx'
import { Skeleton, Summary } from '../ui/basics.tsx'
import { details, sentence } from './explanation-words.ts'
import { outlookInWords } from './outlook-words.ts'
import { priceInWords } from './price-words.ts'

/** Where the room is, where it goes and by when, in words of an owner; the reasons of the control behind "In detail". */
export function Explanation({ room, timeZone }: { room: AppRoom; timeZone: string }) {
  const { t, format } = useWords()
  const now = useNow()
  const [explanation, expected] = [useQuery(explanationQuery(room.id)), useQuery(outlookQuery(room.id))]
  const { data } = explanation
  const outlook = expected.data
  return (
    <section aria-labelledby="why" className="card space-y-2 p-4">
      <h2 id="why" className="font-semibold">
        {t(whyOf(room))}
      </h2>
      {outlook && <p>{outlookInWords(outlook, room, { t, format, now, timeZone }).join(' ')}</p>}
      <Awaited of={[expected, explanation]}>
        {!outlook && <Skeleton className="h-12" />}
        {data === undefined && <Skeleton className="h-11" />}
      </Awaited>
      <KeptPromises roomId={room.id} />
      {data === null && <p className="text-soft">{t('why.nothing')}</p>}
      {data?.price && <p>{priceInWords(data.price, { t, format, now, timeZone })}</p>}
      {data && (
        <>
          <AsOf path={`/rooms/${room.id}/explanation`} timeZone={timeZone} />
          <details className="group">
            <Summary>{t('why.more')}</Summary>
            <ul className="list-disc space-y-1 pl-5 text-sm text-soft">
              {[sentence(data, t, format, timeZone), ...details(data, t, format, timeZone)].map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </details>
        </>
      )}
    </section>
  )
}

function whyOf({ only_watch, cools, power }: AppRoom) {
  if (only_watch) return 'why.only_watch'
  if (cools) return power > 0 ? 'why.cooling' : 'why.not_cooling'
  return power > 0 ? 'why.heating' : 'why.resting'
}

/** A share of fewer mornings says nothing. */
const FEWEST_MORNINGS = 3

function KeptPromises({ roomId }: { roomId: string }) {
  const { t } = useWords()
  const { mornings = 0, kept = 0 } = useQuery(promisesQuery(roomId)).data ?? {}
  if (mornings < FEWEST_MORNINGS) return null
  return <p className="text-sm text-soft">{t('promise.kept', { kept, mornings })}</p>
}
