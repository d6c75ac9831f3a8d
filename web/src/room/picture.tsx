import type { AppRoom } from '@hypocaust/domain'
import { iconByName, type RoomIcon } from '@hypocaust/domain/facts'
import { Outline } from '../ui/icon.tsx'

const PATHS: Record<RoomIcon, string> = {
  bath: 'M3 12h18v2a5 5 0 0 1-5 5H8a5 5 0 0 1-5-5zM6 12V6a2 2 0 0 1 4 0M7 19l-1 2M17 19l1 2',
  toilet: 'M6 4h4v7M6 4v7h13a7 7 0 0 1-5 6.5V21H8v-4a8 8 0 0 1-2-6',
  kitchen: 'M4 11h13v5a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3zM17 13h4M8 8V5M12 8V5',
  dining: 'M7 3v18M4.5 3v4a2.5 2.5 0 0 0 5 0V3M17 21V3c-2.5 1.5-3.5 5-3 9h3',
  child:
    'M12 20a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM7.2 9.2a2.6 2.6 0 1 1 2.6-3M16.8 9.2a2.6 2.6 0 1 0-2.6-3M9.7 12v.1M14.3 12v.1M10.5 15.5c1 .9 2 .9 3 0',
  bedroom: 'M3 19V6M3 16h18v3M21 16v-3a3 3 0 0 0-3-3H3M6 10V8h4v2',
  office: 'M3 10h18M5 10v10M19 10v10M14 10v6h5M8 10V4h7v6',
  hall: 'M6 21V3h12v18M3 21h18M14.5 12v.1',
  laundry: 'M5 3h14v18H5zM5 7h14M8 5v.1M12 18.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM9 15c2-1.5 4 1.5 6 0',
  cellar: 'M3 6h5v4.5h5V15h5v5h3M13 4v5M10.5 6.5 13 9l2.5-2.5',
  garage: 'M3 20V9l9-5 9 5v11M7 20v-7h10v7M7 16.5h10',
  attic: 'M2.5 19 12 5l9.5 14zM9 19v-5h6v5',
  living: 'M5 11V8a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v3M3 11h3v4h12v-4h3v7H3zM6 18v2M18 18v2',
  room: 'M4 4h16v16H4zM4 9h5V4M15 20v-6h5',
}

/** Chosen for the room, or by its name. */
export const iconOf = ({ icon, name }: Pick<AppRoom, 'icon' | 'name'>): RoomIcon => icon ?? iconByName(name)

export const RoomPicture = ({ icon, className = '' }: { icon: RoomIcon; className?: string }) => (
  <Outline path={PATHS[icon]} className={className} />
)
