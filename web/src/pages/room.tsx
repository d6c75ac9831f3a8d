import type { AppBuilding, AppRoom } from '@hypocaust/domain'
import { type Steering, steeringOf } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type CSSProperties, useState } from 'react'
import { useNow } from '../api/now.ts'
import { buildingsQuery } from '../api/queries.ts'
import { changeRoom, useRoomChange, wished } from '../api/room-changes.ts'
import { Rooms, Verdict } from '../building/view.tsx'
import { useWords } from '../i18n/index.tsx'
import { ChangeState } from '../room/change-state.tsx'
import { Explanation } from '../room/explanation.tsx'
import { History } from '../room/history.tsx'
import { TargetNumber, TargetStepper } from '../room/stepper.tsx'
import { doing, readingAge, warnings } from '../room/words.ts'
import { PageSkeleton, PageTitle } from '../ui/basics.tsx'
import { Segmented, Slider } from '../ui/controls.tsx'
import { Degrees } from '../ui/degrees.tsx'
import { Icon } from '../ui/icon.tsx'
import { NotFoundPage } from './not-found.tsx'

/** On a wide screen the rooms stand beside the chosen one. */
export default function RoomPage() {
  const { roomId } = useParams({ from: '/rooms/$roomId' })
  const buildings = useQuery(buildingsQuery).data
  if (!buildings) return <PageSkeleton />
  const building = buildings.find(({ rooms }) => rooms.some(({ id }) => id === roomId))
  const room = building?.rooms.find(({ id }) => id === roomId)
  if (!building || !room) return <NotFoundPage />
  return (
    <div className="xl:grid xl:grid-cols-[20rem_1fr] xl:gap-6">
      <aside aria-label={building.name} className="hidden xl:block">
        <p className="flex min-h-14 items-center text-xl font-semibold">{building.name}</p>
        <Verdict building={building} />
        <Rooms building={building} chosenId={room.id} />
      </aside>
      <ChosenRoom key={room.id} room={room} building={building} />
    </div>
  )
}

function ChosenRoom({ room: stored, building }: { room: AppRoom; building: AppBuilding }) {
  const { t } = useWords()
  const room = wished(stored, useRoomChange(stored.id))
  return (
    <div className="min-w-0 space-y-3">
      <PageTitle back={{ to: '/buildings/$buildingId', params: { buildingId: building.id } }}>{room.name}</PageTitle>
      <Now room={room} />
      <History room={stored} timeZone={building.timezone} />
      <Explanation room={room} timeZone={building.timezone} />
      <SteeringChoice room={room} />
      <nav aria-label={t('room.more')} className="card divide-y divide-line">
        <NightLine room={room} />
        <SensorLine room={room} />
      </nav>
    </div>
  )
}

function Now({ room }: { room: AppRoom }) {
  const { t, format } = useWords()
  const now = useNow()
  const age = readingAge(room, now)
  const humidity = room.current_humidity
  return (
    <section
      aria-label={t('room.now')}
      className={`card p-4 ${room.power > 0 ? 'heating' : ''}`}
      style={{ '--power': room.power } as CSSProperties}
    >
      <div className="flex flex-wrap items-end justify-between gap-2">
        <Degrees
          celsius={room.current_temperature ?? room.sensor?.temperature ?? null}
          className={`text-5xl font-light sm:text-6xl ${age.kind === 'old' && age.isGrey ? 'text-faint' : ''}`}
        />
        <div className="w-40">
          <p className="text-center text-sm text-soft">{t('room.target')}</p>
          <TargetStepper room={room}>
            <TargetNumber room={room} className="text-2xl font-medium" />
          </TargetStepper>
        </div>
      </div>
      <div className="mt-2 flex flex-wrap items-baseline gap-x-4 text-soft">
        <span className={room.power > 0 ? 'font-medium text-warm-ink' : ''}>{doing(room, t, format)}</span>
        {humidity !== null && <span>{t('room.humidity', { percent: format.percent(humidity / 100) })}</span>}
        <ChangeState roomId={room.id} />
      </div>
      {warnings(room, now, t, format).map((warning) => (
        <p key={warning} className="flex items-center gap-1.5 text-alert">
          <Icon name="warning" className="size-5" />
          {warning}
        </p>
      ))}
    </section>
  )
}

type Mode = Steering['kind']

const FIRST_MANUAL_POWER = 0.3

function SteeringChoice({ room }: { room: AppRoom }) {
  const { t, format } = useWords()
  const [undo, setUndo] = useState<Mode>()
  const mode = steeringOf(room.manual_power).kind
  const steer = (next: Mode) => {
    if (next === 'manual') {
      changeRoom(room.id, {
        manual_power: { enabled: true, power: room.manual_power.power || room.power || FIRST_MANUAL_POWER },
      })
    } else changeRoom(room.id, { hvac_mode: next === 'off' ? 'off' : 'heat' })
    setUndo(next === 'off' && mode !== 'off' ? mode : undefined)
  }
  return (
    <section aria-label={t('room.steering')} className="card space-y-4 p-4">
      <Segmented<Mode>
        label={t('room.mode')}
        value={mode}
        choices={[
          { value: 'automatic', label: t('room.heat') },
          { value: 'manual', label: t('room.by_hand') },
          { value: 'off', label: t('room.switch_off') },
        ]}
        onChange={steer}
      />
      {undo && mode === 'off' && (
        <p role="status" className="flex items-center justify-between gap-2">
          {t('room.switched_off', { room: room.name })}
          <button type="button" className="min-h-11 px-2 font-semibold underline" onClick={() => steer(undo)}>
            {t('undo')}
          </button>
        </p>
      )}
      {mode === 'manual' && (
        <div>
          <p className="flex justify-between">
            <span>{t('room.manual_power')}</span>
            <span className="font-medium tabular-nums">{format.percent(room.manual_power.power)}</span>
          </p>
          <Slider
            label={t('room.manual_power')}
            value={Math.round(room.manual_power.power * 100)}
            max={100}
            step={5}
            text={format.percent(room.manual_power.power)}
            onChange={(value) =>
              changeRoom(room.id, { manual_power: { enabled: true, power: Math.max(0.05, value / 100) } })
            }
          />
          <p className="text-sm text-soft">{t('room.manual_hint')}</p>
        </div>
      )}
      <div className="space-y-1">
        <p className="font-medium">{t('room.preset')}</p>
        <p className="text-sm text-soft">{t('room.preset_hint')}</p>
        <Segmented
          label={t('room.preset')}
          value={room.preset_mode}
          choices={room.preset_modes.map((value) => ({ value, label: t(`preset.${value}`) }))}
          onChange={(preset_mode) => changeRoom(room.id, { preset_mode })}
        />
      </div>
    </section>
  )
}

function NightLine({ room }: { room: AppRoom }) {
  const { t, format } = useWords()
  const night = room.night_mode
  const times = night && { from: night.from, to: night.to, kelvin: format.kelvin(night.setback) }
  const weekend = night?.weekend ? ` ${t('room.night_weekend', night.weekend)}` : ''
  const text = times ? t('room.night', times) + weekend : t('room.no_night')
  return <Line roomId={room.id} icon="moon" text={text} detail={t(`floor.${room.floor_type}`)} />
}

function SensorLine({ room }: { room: AppRoom }) {
  const { t, format } = useWords()
  const { sensor } = room
  const parts = [
    ...(sensor !== null && sensor.batt !== null ? [format.percent(sensor.batt / 100)] : []),
    ...(sensor !== null && sensor.rssi !== null ? [t('unit.dbm', { n: format.whole(sensor.rssi) })] : []),
  ]
  return (
    <Line roomId={room.id} icon="signal" text={t('room.sensor', { id: room.sensor_id })} detail={parts.join(' · ')} />
  )
}

function Line({
  roomId,
  icon,
  text,
  detail,
}: {
  roomId: string
  icon: 'moon' | 'signal'
  text: string
  detail: string
}) {
  return (
    <Link
      to="/rooms/$roomId/settings"
      params={{ roomId }}
      className="flex min-h-14 items-center gap-3 px-4 py-2 hover:bg-sunken"
    >
      <Icon name={icon} className="size-5 text-faint" />
      <span className="min-w-0 flex-1 justify-between gap-3 sm:flex">
        <span className="block break-words">{text}</span>
        <span className="block text-sm text-soft">{detail}</span>
      </span>
      <Icon name="next" className="size-5 text-faint" />
    </Link>
  )
}
