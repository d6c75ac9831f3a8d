import type { AppBuilding, GatewayEntry, NewRoom, RoomIcon, ValveRef } from '@hypocaust/domain'
import { NAME_MAX_LENGTH } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { useWords } from '../i18n/index.tsx'
import { iconOf } from '../room/picture.tsx'
import { Button, Field, Problem } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { addRooms } from './add-rooms.ts'
import { FloorChoice } from './floor-choice.tsx'
import { RoomIconChoice } from './room-icon-choice.tsx'
import { shortId } from './sensor-name.ts'
import { ValveChoice } from './valve-choice.tsx'

interface NewRoomProps {
  building: AppBuilding
  gateways: GatewayEntry[]
  sensorId: string
  onClose(): void
}

/** With everything that can be chosen for a room at once. */
export function NewRoomDialog({ building, gateways, sensorId, onClose }: NewRoomProps) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [name, setName] = useState('')
  const [icon, setIcon] = useState<RoomIcon | null>(null)
  const [floorType, setFloorType] = useState<NewRoom['floor_type']>('screed')
  const [valves, setValves] = useState<ValveRef[]>([])
  const submit = async () => {
    const room: NewRoom = { name, icon, floor_type: floorType, sensor_id: sensorId, valves }
    if (await run(() => addRooms(building.id, [room]))) onClose()
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
