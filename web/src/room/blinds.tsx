import type { AppRoom } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useNow } from '../api/now.ts'
import { outlookQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'

/** When to close the blinds of a room, on days on which that is worth it. */
export function BlindsLine({ room, timeZone }: { room: AppRoom; timeZone: string }) {
  const { t, format } = useWords()
  const now = useNow()
  const { data: outlook } = useQuery({ ...outlookQuery(room.id), enabled: room.blinds !== null })
  const advice = room.blinds && outlook?.blinds
  if (!advice || now >= Date.parse(advice.open_at)) return null
  const isToClose = now < Date.parse(advice.close_at)
  const time = format.since(Date.parse(isToClose ? advice.close_at : advice.open_at), now, timeZone)
  const values = { time, closed: format.degrees(advice.expected_closed), open: format.degrees(advice.expected) }
  return <p className="mt-1">{t(isToClose ? 'blinds.close' : 'blinds.closed', values)}</p>
}
