import type { AppRoom } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useNow } from '../api/now.ts'
import { outlookQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Icon } from '../ui/icon.tsx'
import { blindsInWords } from './blinds-words.ts'

/** When to close the blinds of a room, on days on which that is worth it. */
export function BlindsLine({ room, timeZone }: { room: AppRoom; timeZone: string }) {
  const { t, format } = useWords()
  const now = useNow()
  const { data: outlook } = useQuery({ ...outlookQuery(room.id), enabled: room.blinds !== null })
  const advice = blindsInWords(room, outlook?.blinds, { t, format, now, timeZone })
  if (!advice) return null
  return (
    <p className="mt-3 flex items-start gap-2 rounded-xl bg-sunken p-3">
      <Icon name="sun" className="mt-0.5 size-5" />
      <span className="min-w-0">{advice.whole}</span>
    </p>
  )
}
