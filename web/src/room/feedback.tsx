import type { AppRoom } from '@hypocaust/domain'
import { FEELINGS, type Feeling } from '@hypocaust/domain/facts'
import { api } from '../api/http.ts'
import { useNow } from '../api/now.ts'
import { settled } from '../api/room-changes.ts'
import { useWords } from '../i18n/index.tsx'
import { refreshRooms } from '../schedule/put-override.ts'
import { Button, Problem } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { saySetpointSet } from './setpoint-change.ts'
import { modeOf } from './words.ts'

/** How a person finds the room: a small change for a few hours. */
export function FeedbackButtons({ room, timeZone }: { room: AppRoom; timeZone: string }) {
  const { t, format } = useWords()
  const now = useNow()
  const { isBusy, problem, run } = useDeed()
  // It would change the setpoint of heating.
  if (room.only_watch || room.loops_held || room.cools || modeOf(room) !== 'automatic') return null
  const press = (feeling: Feeling) =>
    run(async () => {
      await settled(room.id)
      const { override } = await api<AppRoom>('POST', `/rooms/${room.id}/feedback`, { feeling })
      await refreshRooms()
      if (override?.target_temperature === undefined) return
      saySetpointSet(room, override.target_temperature, override.until, { t, format, now, timeZone })
    })
  return (
    <div className="mt-3 space-y-2">
      <div className="flex flex-wrap gap-2">
        {FEELINGS.map((feeling) => (
          <Button key={feeling} disabled={isBusy} onClick={() => press(feeling)}>
            {t(`feedback.${feeling}`)}
          </Button>
        ))}
      </div>
      {problem && <Problem>{problem}</Problem>}
    </div>
  )
}
