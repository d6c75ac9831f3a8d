import type { AppBuilding, AppRoom } from '@hypocaust/domain'
import { mayDo } from '@hypocaust/domain/facts'
import type { CSSProperties } from 'react'
import { useRoomPlace } from '../api/buildings.ts'
import { useNow } from '../api/now.ts'
import { changeRoom, useRoomChange, withChange } from '../api/room-changes.ts'
import { Rooms, Verdict } from '../building/view.tsx'
import { useWords } from '../i18n/index.tsx'
import { actsInWords } from '../room/acts-words.ts'
import { AirLine } from '../room/air.tsx'
import { BlindsLine } from '../room/blinds.tsx'
import { ChangeState } from '../room/change-state.tsx'
import { Diagnosis } from '../room/diagnosis.tsx'
import { Explanation } from '../room/explanation.tsx'
import { FeedbackButtons } from '../room/feedback.tsx'
import { History } from '../room/history.tsx'
import { OverrideControls } from '../room/override.tsx'
import { ProposalCard } from '../room/proposal.tsx'
import { readingsOf, shownC } from '../room/sensors.ts'
import { Shadow } from '../room/shadow.tsx'
import { type Mode, steer } from '../room/steer.ts'
import { SetpointNumber, SetpointStepper } from '../room/stepper.tsx'
import { Warnings } from '../room/tile.tsx'
import { doing, modeOf, readingAge, setpointOf, warnings } from '../room/words.ts'
import { Link } from '../routing/link.tsx'
import { useParam } from '../routing/route.ts'
import { ManualPower } from '../schedule/manual.tsx'
import { LoopSearch } from '../setup/loop-search.tsx'
import { PageSkeleton } from '../ui/awaited.tsx'
import { PageTitle } from '../ui/basics.tsx'
import { Segmented } from '../ui/controls.tsx'
import { Degrees } from '../ui/degrees.tsx'
import { useProblemText } from '../ui/form.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { say } from '../ui/toast.tsx'
import { useIsWide } from '../ui/wide.ts'
import { NotFoundPage } from './not-found.tsx'

/** On a wide screen the rooms stand beside the chosen one. */
export default function RoomPage() {
  const roomId = useParam('roomId')
  const place = useRoomPlace(roomId)
  const isWide = useIsWide()
  if (place === undefined) return <PageSkeleton />
  if (place === null) return <NotFoundPage />
  const { building, room } = place
  return (
    <div className="xl:grid xl:grid-cols-[20rem_1fr] xl:gap-6">
      {isWide && (
        <aside aria-label={building.name} className="hidden xl:block">
          <p className="flex min-h-14 items-center text-xl font-semibold">{building.name}</p>
          <Verdict building={building} isNarrow />
          <Rooms building={building} chosenId={room.id} />
        </aside>
      )}
      <ChosenRoom key={room.id} room={room} building={building} />
    </div>
  )
}

function ChosenRoom({ room: stored, building }: { room: AppRoom; building: AppBuilding }) {
  const { t } = useWords()
  const room = withChange(stored, useRoomChange(stored.id))
  return (
    <div className="min-w-0 space-y-3">
      <PageTitle back={{ to: '/buildings/$buildingId', params: { buildingId: building.id } }}>{room.name}</PageTitle>
      <LoopSearch building={building} />
      <Now room={room} timeZone={building.timezone} />
      <Explanation room={room} timeZone={building.timezone} />
      <Diagnosis room={room} building={building} />
      {stored.proposal && mayDo(building.role, 'plan') && <ProposalCard room={stored} proposal={stored.proposal} />}
      {room.only_watch ? (
        <Shadow room={stored} building={building} />
      ) : (
        <SteeringChoice room={room} building={building} />
      )}
      <History room={stored} timeZone={building.timezone} />
      {mayDo(building.role, 'change_log') ? (
        <nav aria-label={t('room.more')} className="card divide-y divide-line">
          {mayDo(building.role, 'plan') && <NightLine room={room} />}
          {mayDo(building.role, 'set_up') && <SettingsLine room={room} />}
          {mayDo(building.role, 'set_up') && <SensorLine room={room} />}
          <ChangesLine room={room} />
        </nav>
      ) : null}
    </div>
  )
}

function ChangesLine({ room }: { room: AppRoom }) {
  const { t } = useWords()
  return (
    <Link
      to="/buildings/$buildingId/changes"
      params={{ buildingId: room.building_id }}
      search={{ room: room.id }}
      className="flex min-h-14 items-center gap-3 px-4 py-2 hover:bg-sunken"
    >
      <Icon name="clock" className="size-5 text-faint" />
      <span className="min-w-0 flex-1">{t('settings.changes')}</span>
      <Icon name="next" className="size-5 text-faint" />
    </Link>
  )
}

function Now({ room, timeZone }: { room: AppRoom; timeZone: string }) {
  const { t, format } = useWords()
  const now = useNow()
  const age = readingAge(room, now)
  const change = useRoomChange(room.id)
  const acts = actsInWords(room, { t, format, now, timeZone })
  const isHeating = room.power > 0 && !room.cools
  return (
    <section
      aria-label={t('room.now')}
      className={`card p-4 ${isHeating ? 'heating' : ''}`}
      style={{ '--power': room.power } as CSSProperties}
    >
      <div className="flex flex-wrap items-end justify-between gap-2">
        <Degrees
          celsius={shownC(room)}
          className={`text-5xl font-light sm:text-6xl ${age.kind === 'old' && age.isGrey ? 'text-faint' : ''}`}
        />
        {acts.isTemperature && (
          <div className="w-44">
            <p className="text-center text-sm text-soft">{t('room.aiming_for')}</p>
            <SetpointStepper room={room} timeZone={timeZone}>
              <SetpointNumber room={room} timeZone={timeZone} className="text-2xl font-medium" />
            </SetpointStepper>
          </div>
        )}
      </div>
      <div className="mt-2 flex flex-wrap items-baseline gap-x-4 text-soft">
        <span className={isHeating ? 'font-medium text-warm-ink' : ''}>
          {change.kind === 'sending' ? t('change.sending') : doing(room, t, format)}
        </span>
        {!room.loops_held && <span>{acts.name}</span>}
        {acts.isTemperature && setpointOf(room) !== room.target_temperature && (
          <span>{t('room.comfort', { degrees: format.degrees(room.target_temperature) })}</span>
        )}
        <ChangeState roomId={room.id} />
      </div>
      <AirLine room={room} timeZone={timeZone} />
      <BlindsLine room={room} timeZone={timeZone} />
      <FeedbackButtons room={room} timeZone={timeZone} />
      <Warnings warnings={warnings(room, now, t, format)} />
    </section>
  )
}

function SteeringChoice({ room, building }: { room: AppRoom; building: AppBuilding }) {
  const { t } = useWords()
  const problemText = useProblemText()
  const onProblem = (error: unknown) => say({ text: problemText(error) })
  const mode = modeOf(room)
  return (
    <section aria-label={t('room.steering')} className="card space-y-4 p-4">
      <Segmented<Mode>
        label={t('room.mode')}
        value={mode}
        choices={[
          { value: 'automatic', label: t(room.cools ? 'room.cool' : 'room.heat') },
          { value: 'manual', label: t('room.by_hand') },
          { value: 'off', label: t('room.switch_off') },
        ]}
        onChange={(next) => steer(room, next, t, onProblem)}
      />
      {mode === 'manual' && <ManualPower room={room} />}
      <OverrideControls room={room} building={building} />
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
  return (
    <Line
      to="/rooms/$roomId/programme"
      roomId={room.id}
      icon="moon"
      text={room.programme ? t('programme.week') : text}
      detail={t('programme.edit')}
    />
  )
}

function SettingsLine({ room }: { room: AppRoom }) {
  const { t } = useWords()
  return (
    <Line
      to="/rooms/$roomId/settings"
      roomId={room.id}
      icon="gear"
      text={t('room_settings.title', { room: room.name })}
      detail={t(`floor.${room.floor_type}`)}
    />
  )
}

function SensorLine({ room }: { room: AppRoom }) {
  const { t, format } = useWords()
  const readings = readingsOf(room)
  const parts = readings.flatMap(({ temperature, batt, rssi }) => [
    ...(readings.length > 1 ? [`${format.degrees(temperature)}°`] : []),
    ...(batt === null ? [] : [format.percent(batt / 100)]),
    ...(rssi === null ? [] : [t('unit.dbm', { n: format.whole(rssi) })]),
  ])
  return (
    <Line
      to="/rooms/$roomId/settings"
      roomId={room.id}
      icon="signal"
      text={t('room.sensor')}
      detail={parts.join(' · ')}
    />
  )
}

interface LineProps {
  to: '/rooms/$roomId/settings' | '/rooms/$roomId/programme'
  roomId: string
  icon: IconName
  text: string
  detail: string
}

function Line({ to, roomId, icon, text, detail }: LineProps) {
  return (
    <Link to={to} params={{ roomId }} className="flex min-h-14 items-center gap-3 px-4 py-2 hover:bg-sunken">
      <Icon name={icon} className="size-5 text-faint" />
      <span className="min-w-0 flex-1 justify-between gap-3 sm:flex">
        <span className="block break-words">{text}</span>
        <span className="block text-sm text-soft">{detail}</span>
      </span>
      <Icon name="next" className="size-5 text-faint" />
    </Link>
  )
}
