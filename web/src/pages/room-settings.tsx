import type { AppBuilding, AppRoom, AppRoomPatch } from '@hypocaust/domain'
import { AREA_M2, mayDo, NAME_MAX_LENGTH } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useRoomPlace } from '../api/buildings.ts'
import { api } from '../api/http.ts'
import { buildingsKey, gatewaysQuery, queryClient, sensorsQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { iconOf } from '../room/picture.tsx'
import { navigate } from '../routing/navigation.ts'
import { useParam } from '../routing/route.ts'
import { OptionalAmountField } from '../setup/amount-field.tsx'
import { BlindsChoice } from '../setup/blinds-choice.tsx'
import { CoolingTarget } from '../setup/cooling-target.tsx'
import { FloorAndAir } from '../setup/floor-and-air.tsx'
import { FloorChoice } from '../setup/floor-choice.tsx'
import { Night } from '../setup/night.tsx'
import { OtherSensorsChoice } from '../setup/other-sensors.tsx'
import { RoomIconChoice } from '../setup/room-icon-choice.tsx'
import { shortId } from '../setup/sensor-name.ts'
import { ValveChoice } from '../setup/valve-choice.tsx'
import { WarmFloor } from '../setup/warm-floor.tsx'
import { Awaited, PageSkeleton } from '../ui/awaited.tsx'
import { Button, ButtonLink, Column, Columns, Field, PageTitle, Problem, Section } from '../ui/basics.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Switch } from '../ui/controls.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { Picker } from '../ui/picker.tsx'
import { SaveBar } from '../ui/save-bar.tsx'
import { say } from '../ui/toast.tsx'
import { UnsavedGuard } from '../ui/unsaved.tsx'
import { NotFoundPage } from './not-found.tsx'

export default function RoomSettingsPage() {
  const roomId = useParam('roomId')
  const place = useRoomPlace(roomId)
  if (place === undefined) return <PageSkeleton />
  if (place === null) return <NotFoundPage />
  const { building, room } = place
  return <RoomSettings key={room.id} room={room} building={building} />
}

function RoomSettings({ room, building }: { room: AppRoom; building: AppBuilding }) {
  const { t } = useWords()
  const [opened] = useState(room)
  const [draft, setDraft] = useState(opened)
  const [isRemoving, setRemoving] = useState(false)
  const { isBusy, problem, run } = useDeed()
  const isSaved = useRef(false)
  const isDirty = () => !isSaved.current && Object.keys(differences(opened, draft)).length > 0
  const change = (patch: RoomChange) => setDraft({ ...draft, ...patch })
  const mayPlan = mayDo(building.role, 'plan')
  const back = { to: '/rooms/$roomId', params: { roomId: room.id } } as const
  const save = async () => {
    const done = await run(async () => {
      await api<AppRoom>('PATCH', `/rooms/${room.id}`, differences(opened, draft))
      await queryClient.invalidateQueries({ queryKey: buildingsKey })
    })
    if (!done) return
    isSaved.current = true
    say({ text: t('saved') })
    navigate(back)
  }
  return (
    <Form className="space-y-4" onSubmit={() => save()}>
      <PageTitle back={back}>{t('room_settings.title', { room: room.name })}</PageTitle>
      <Columns>
        <Column>
          <Section title={t('room_settings.room')}>
            <Field
              label={t('room_settings.name')}
              value={draft.name}
              required
              maxLength={NAME_MAX_LENGTH}
              onChange={(e) => change({ name: e.target.value })}
            />
            <RoomIconChoice value={iconOf(draft)} onChange={(icon) => change({ icon })} />
            <FloorChoice value={draft.floor_type} onChange={(floor_type) => change({ floor_type })} />
            <Field
              label={t('room_settings.storey')}
              hint={t('room_settings.storey_hint')}
              value={draft.storey ?? ''}
              maxLength={NAME_MAX_LENGTH}
              list="storeys"
              onChange={({ target }) => change({ storey: target.value === '' ? null : target.value })}
            />
            <datalist id="storeys">
              {[...new Set(building.rooms.flatMap(({ storey }) => storey ?? []))].map((storey) => (
                <option key={storey} value={storey} />
              ))}
            </datalist>
            <OptionalAmountField
              label={t('room_settings.area')}
              limits={AREA_M2}
              value={draft.area_m2 ?? undefined}
              onChange={(area) => change({ area_m2: area ?? null })}
            />
            <FloorAndAir draft={draft} mayPlan={mayPlan} onChange={change} />
            {(building.can_cool || building.cooling) && mayPlan && draft.floor_type !== 'electric' && (
              <CoolingTarget target={draft.cooling_target} onChange={change} />
            )}
          </Section>
          {mayPlan && <BlindsChoice blinds={draft.blinds} covers={building.covers} onChange={change} />}
        </Column>
        <Column>
          {mayPlan &&
            (room.programme ? (
              <Section title={t('programme.week')}>
                <p className="text-soft">{t('programme.instead')}</p>
                <ButtonLink to="/rooms/$roomId/programme" params={{ roomId: room.id }}>
                  {t('programme.edit')}
                </ButtonLink>
              </Section>
            ) : (
              <Night night={draft.night_mode} onChange={(night_mode) => change({ night_mode })} />
            ))}
          {mayPlan && (
            <WarmFloor
              times={draft.minimum_floor_temperature}
              onChange={(minimum_floor_temperature) => change({ minimum_floor_temperature })}
            />
          )}
          <Devices building={building} draft={draft} onChange={change} />
        </Column>
      </Columns>
      {problem && <Problem>{problem}</Problem>}
      <Button look="danger" onClick={() => setRemoving(true)}>
        {t('room_settings.remove')}
      </Button>
      <SaveBar text={t(isDirty() ? 'room_settings.changed' : 'room_settings.unchanged')}>
        <Button type="submit" look="main" disabled={isBusy}>
          {t('save')}
        </Button>
      </SaveBar>
      <UnsavedGuard isDirty={isDirty} />
      {isRemoving && (
        <RemoveDialog
          room={room}
          onRemoved={() => {
            isSaved.current = true
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </Form>
  )
}

/** What a person can change of a room on pages. */
type RoomChange = Partial<Pick<AppRoom, keyof AppRoom & keyof AppRoomPatch>>

/** Only what was changed is sent: what another page changed meanwhile stays. */
function differences(opened: AppRoom, draft: AppRoom): AppRoomPatch {
  const fields = Object.keys(draft) as (keyof RoomChange)[]
  const changed = fields.filter((field) => JSON.stringify(opened[field]) !== JSON.stringify(draft[field]))
  return Object.fromEntries(changed.map((field) => [field, draft[field]]))
}

interface DevicesProps {
  building: AppBuilding
  draft: AppRoom
  onChange(patch: RoomChange): void
}

function Devices({ building, draft, onChange }: DevicesProps) {
  const { t } = useWords()
  const [heard, connected] = [useQuery(sensorsQuery(building.id)), useQuery(gatewaysQuery(building.id))]
  const { data: sensors = [] } = heard
  const { data: gateways = [] } = connected
  const ids = [...new Set([draft.sensor_id, ...sensors.map(({ id }) => id)])]
  const nameOf = (id: string) => {
    const rooms = sensors.find((sensor) => sensor.id === id)?.rooms ?? []
    const name = t('sensor.name', { id: shortId(id) })
    return rooms.length > 0 ? t('sensor.of', { id: name, rooms: rooms.join(', ') }) : name
  }
  return (
    <Section title={t('room_settings.devices')}>
      <Awaited of={[heard, connected]} />
      <Picker
        label={t('room_settings.sensor')}
        value={draft.sensor_id}
        choices={ids.map((value) => ({ value, label: nameOf(value) }))}
        onChange={(sensor_id) => onChange({ sensor_id })}
      />
      <OtherSensorsChoice
        value={draft.other_sensors}
        ids={sensors.map(({ id }) => id).filter((id) => id !== draft.sensor_id && id !== draft.floor_sensor_id)}
        nameOf={nameOf}
        onChange={(other_sensors) => onChange({ other_sensors })}
      />
      <Picker
        label={t('room_settings.floor_sensor')}
        hint={t('room_settings.floor_sensor_hint')}
        value={draft.floor_sensor_id ?? ''}
        choices={[
          { value: '', label: t('room_settings.no_floor_sensor') },
          ...sensors.map(({ id }) => ({ value: id, label: nameOf(id) })),
        ]}
        onChange={(id) => onChange({ floor_sensor_id: id || null })}
      />
      <Switch
        label={t('room_settings.target_of_floor')}
        hint={t('room_settings.target_of_floor_hint')}
        checked={draft.target_of === 'floor'}
        onChange={(isFloor) => onChange({ target_of: isFloor ? 'floor' : 'air' })}
      />
      <ValveChoice
        building={building}
        gateways={gateways}
        roomId={draft.id}
        value={draft.valves}
        onChange={(valves) => onChange({ valves })}
      />
      <Switch
        label={t('room_settings.only_watch')}
        hint={t('room_settings.only_watch_hint')}
        checked={draft.only_watch}
        onChange={(only_watch) => onChange({ only_watch })}
      />
    </Section>
  )
}

function RemoveDialog({ room, onRemoved, onClose }: { room: AppRoom; onRemoved(): void; onClose(): void }) {
  const { t } = useWords()
  return (
    <ConfirmDialog
      title={t('room_settings.remove_title', { room: room.name })}
      text={t('room_settings.remove_text')}
      action={t('room_settings.remove')}
      onConfirm={async () => {
        await api('DELETE', `/rooms/${room.id}`)
        onRemoved()
        navigate({ to: '/buildings/$buildingId', params: { buildingId: room.building_id } })
      }}
      onDone={() => queryClient.invalidateQueries({ queryKey: buildingsKey })}
      onClose={onClose}
    />
  )
}
