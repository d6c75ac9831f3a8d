import type { AppBuilding } from '@hypocaust/domain'
import { useBuilding, useRoomPlace } from './api/buildings.ts'
import { useNow } from './api/now.ts'
import { useCommonZone, useZones } from './api/zone.ts'
import { BROWSER_ZONE, type Zone } from './i18n/formats.ts'
import { useWords } from './i18n/index.tsx'
import { useParam, usePath } from './routing/route.ts'
import { localTimeOf } from './ui/local-time.ts'

/** Pages that show times of several buildings, each by its own clocks. */
const OF_ALL = ['/', '/alerts']

/** Says whose clocks a page goes by, to readers whose own show another time. */
export function HouseClock() {
  const buildingId = useParam('buildingId')
  const roomId = useParam('roomId')
  if (buildingId) return <OfBuilding buildingId={buildingId} />
  if (roomId) return <OfRoom roomId={roomId} />
  return <OfAll />
}

const OfBuilding = ({ buildingId }: { buildingId: string }) => <Note building={useBuilding(buildingId)} />

const OfRoom = ({ roomId }: { roomId: string }) => <Note building={useRoomPlace(roomId)?.building} />

function Note({ building }: { building: AppBuilding | null | undefined }) {
  return building ? <NoteOn timeZone={building.timezone} /> : null
}

function OfAll() {
  const { t } = useWords()
  const now = useNow()
  const path = usePath()
  const zone = useCommonZone()
  const hasOthers = useZones().some((each) => isOtherTime(now, each))
  if (zone !== BROWSER_ZONE) return <NoteOn timeZone={zone} />
  return hasOthers && OF_ALL.includes(path) ? <p className={LOOK}>{t('house_clock.several')}</p> : null
}

function NoteOn({ timeZone }: { timeZone: string }) {
  const { t, format } = useWords()
  const now = useNow()
  if (!isOtherTime(now, timeZone)) return null
  return <p className={LOOK}>{t('house_clock.one', { time: format.clock(now, timeZone) })}</p>
}

const LOOK = 'pt-3 text-sm text-soft'

const isOtherTime = (now: number, timeZone: Zone): boolean =>
  localTimeOf(now, timeZone) !== localTimeOf(now, BROWSER_ZONE)
