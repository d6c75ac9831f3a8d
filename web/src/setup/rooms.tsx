import type { AppBuilding, AppRoom } from '@hypocaust/domain'
import { mayDo } from '@hypocaust/domain/facts'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { iconOf, RoomPicture } from '../room/picture.tsx'
import { isUnfinished } from '../room/unfinished.ts'
import { Link } from '../routing/link.tsx'
import { Section } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { Icon } from '../ui/icon.tsx'

export function RoomList({ building }: { building: AppBuilding }) {
  const { t } = useWords()
  return (
    <Section title={t('setup.rooms')}>
      {building.rooms.length === 0 && <p className="text-sm text-soft">{t('setup.no_rooms')}</p>}
      <ul className="divide-y divide-line">
        {building.rooms.map((room, place) => (
          <li key={room.id} className="flex items-center gap-1">
            <MoveButtons building={building} room={room} place={place} />
            <RoomLine room={room} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The order of rooms on the website; programs see them as in the house file. */
function MoveButtons({ building, room, place }: { building: AppBuilding; room: AppRoom; place: number }) {
  const { t } = useWords()
  const { isBusy, run } = useDeed()
  if (building.rooms.length < 2 || !mayDo(building.role, 'plan')) return null
  const moveTo = (next: number) =>
    run(async () => {
      const others = building.rooms.map(({ id }) => id).filter((id) => id !== room.id)
      await api('PATCH', `/buildings/${building.id}`, { room_order: others.toSpliced(next, 0, room.id) })
      await queryClient.invalidateQueries({ queryKey: buildingsKey })
    })
  const look = 'flex size-11 items-center justify-center rounded-xl hover:bg-sunken disabled:opacity-30'
  return (
    <>
      <button
        type="button"
        className={look}
        disabled={isBusy || place === 0}
        aria-label={t('setup.move_up', { room: room.name })}
        onClick={() => moveTo(place - 1)}
      >
        <Icon name="down" className="size-5 rotate-180" />
      </button>
      <button
        type="button"
        className={look}
        disabled={isBusy || place === building.rooms.length - 1}
        aria-label={t('setup.move_down', { room: room.name })}
        onClick={() => moveTo(place + 1)}
      >
        <Icon name="down" className="size-5" />
      </button>
    </>
  )
}

/** With the names of its loops, or how many there are. */
export function RoomLine({ room, loops }: { room: AppRoom; loops?: string }) {
  const { t } = useWords()
  return (
    <Link
      to="/rooms/$roomId/settings"
      params={{ roomId: room.id }}
      className="flex min-h-14 min-w-0 flex-1 items-center gap-3 hover:bg-sunken"
    >
      <RoomPicture icon={iconOf(room)} className="text-soft" />
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{room.name}</span>
        <span className="block text-sm text-soft">
          {t(`floor.${room.floor_type}`)} · {loops || t('setup.valves', { n: room.valves.length })}
        </span>
        {isUnfinished(room) && (
          <span className="flex items-center gap-1 text-sm font-medium">
            <Icon name="warning" className="size-4" />
            {t(room.valves.length === 0 ? 'setup.no_loop' : 'setup.no_sensor')}
          </span>
        )}
      </span>
      <Icon name="next" className="size-5 text-faint" />
    </Link>
  )
}
