import type { AppBuilding, AppRoom, GatewayEntry, HeardSensor, NewRoom, RoomIcon, ValveRef } from '@hypocaust/domain'
import { mayDo, NAME_MAX_LENGTH } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { useNow } from '../api/now.ts'
import { buildingsKey, queryClient, sensorsQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { iconOf, RoomPicture } from '../room/picture.tsx'
import { isUnfinished } from '../room/unfinished.ts'
import { Link } from '../routing/link.tsx'
import { Button, Field, Problem, Section } from '../ui/basics.tsx'
import { Degrees } from '../ui/degrees.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { Icon } from '../ui/icon.tsx'
import { breathedOn } from './breath.ts'
import { FloorChoice } from './floor-choice.tsx'
import { RoomIconChoice } from './room-icon-choice.tsx'
import { shortId } from './sensor-name.ts'
import { ValveChoice } from './valve-choice.tsx'

interface Props {
  building: AppBuilding
  gateways: GatewayEntry[]
  sensors: HeardSensor[]
}

export function RoomsSetUp({ building, gateways, sensors }: Props) {
  const { t } = useWords()
  const [sensorId, setSensorId] = useState<string>()
  const breathed = breathedOn(sensors)
  return (
    <>
      <Section title={t('sensors.title')}>
        <p className="text-sm text-soft">{t(sensors.length === 0 ? 'sensors.none' : 'sensors.text')}</p>
        <ul className="space-y-2">
          {sensors.map((sensor) => (
            <li key={sensor.id}>
              <SensorLine
                sensor={sensor}
                isBreathedOn={sensor.id === breathed}
                onChoose={() => setSensorId(sensor.id)}
              />
            </li>
          ))}
        </ul>
      </Section>
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
      {sensorId && (
        <NewRoomDialog
          building={building}
          gateways={gateways}
          sensorId={sensorId}
          onClose={() => setSensorId(undefined)}
        />
      )}
    </>
  )
}

function SensorLine(props: { sensor: HeardSensor; isBreathedOn: boolean; onChoose(): void }) {
  const { t, format } = useWords()
  const { sensor, isBreathedOn } = props
  const now = useNow()
  const { reading, rooms } = sensor
  const age = reading && (now - Date.parse(reading.timestamp)) / 1000
  const facts = [
    ...(reading !== null && reading.humidity !== null
      ? [t('room.humidity', { percent: format.percent(reading.humidity / 100) })]
      : []),
    ...(reading !== null && reading.rssi !== null ? [t('unit.dbm', { n: format.whole(reading.rssi) })] : []),
    age === null ? t('sensor.never') : t('sensor.age', { age: format.duration(Math.max(age, 0)) }),
  ]
  return (
    <div
      className={`flex flex-wrap items-center justify-between gap-3 rounded-xl border p-3 ${isBreathedOn ? 'border-2 border-accent' : 'border-line'}`}
    >
      <div className="min-w-0 flex-1">
        <p className="font-medium">{t('sensor.name', { id: shortId(sensor.id) })}</p>
        <p className="text-sm text-soft">{facts.join(' · ')}</p>
        {rooms.length > 0 && <p className="text-sm">{t('sensor.in', { rooms: rooms.join(', ') })}</p>}
        {isBreathedOn && (
          <p role="status" className="flex items-center gap-1 font-semibold">
            <Icon name="check" className="size-5" />
            {t('sensor.breathed')}
          </p>
        )}
      </div>
      <Degrees celsius={reading?.temperature ?? null} className="text-2xl font-light" />
      {rooms.length === 0 && (
        <Button
          look="main"
          className="max-sm:w-full"
          onClick={props.onChoose}
          aria-label={t('sensor.make_room_of', { id: shortId(sensor.id) })}
        >
          {t('sensor.make_room')}
        </Button>
      )}
    </div>
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

function RoomLine({ room }: { room: AppRoom }) {
  const { t, count } = useWords()
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
          {t(`floor.${room.floor_type}`)} · {count('setup.valves', room.valves.length)}
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

interface NewRoomProps {
  building: AppBuilding
  gateways: GatewayEntry[]
  sensorId: string
  onClose(): void
}

function NewRoomDialog({ building, gateways, sensorId, onClose }: NewRoomProps) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [name, setName] = useState('')
  const [icon, setIcon] = useState<RoomIcon | null>(null)
  const [floorType, setFloorType] = useState<NewRoom['floor_type']>('screed')
  const [valves, setValves] = useState<ValveRef[]>([])
  const submit = async () => {
    const room: NewRoom = { name, icon, floor_type: floorType, sensor_id: sensorId, valves }
    const done = await run(async () => {
      await api<AppRoom>('POST', `/buildings/${building.id}/rooms`, room)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: buildingsKey }),
        queryClient.invalidateQueries({ queryKey: sensorsQuery(building.id).queryKey }),
      ])
    })
    if (done) onClose()
  }
  return (
    <Dialog title={t('new_room.title')} onClose={onClose}>
      <Form onSubmit={() => submit()}>
        <p className="break-all text-sm text-soft">{t('new_room.sensor', { id: shortId(sensorId) })}</p>
        <Field
          label={t('room_settings.name')}
          required
          maxLength={NAME_MAX_LENGTH}
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <RoomIconChoice value={iconOf({ icon, name })} onChange={setIcon} />
        <FloorChoice value={floorType} onChange={setFloorType} />
        <ValveChoice building={building} gateways={gateways} value={valves} onChange={setValves} />
        {problem && <Problem>{problem}</Problem>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="main" disabled={isBusy}>
            {t('new_room.add')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
