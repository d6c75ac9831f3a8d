import type { AppBuilding, FloorType, GatewayEntry, ReportedSensor } from '@hypocaust/domain'
import { FLOOR_TYPES, NAME_MAX_LENGTH } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem, Section } from '../ui/basics.tsx'
import { Chips } from '../ui/chips.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { addRooms } from './add-rooms.ts'
import { breathedOn } from './breath.ts'
import { NewRoomDialog } from './new-room-dialog.tsx'
import { shortId } from './sensor-name.ts'
import { SensorLine } from './sensors.tsx'

interface Props {
  building: AppBuilding
  gateways: GatewayEntry[]
  sensors: ReportedSensor[]
}

/** A name for each sensor that has no room, then all of them at once. */
export function NewRooms({ building, gateways, sensors }: Props) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [names, setNames] = useState<Record<string, string>>({})
  const [floorType, setFloorType] = useState<FloorType>('screed')
  const [detailed, setDetailed] = useState<string>()
  const free = sensors.filter(({ rooms }) => rooms.length === 0)
  const breathed = breathedOn(sensors)
  const rooms = free.flatMap(({ id }) => {
    const name = names[id]?.trim()
    return name ? { name, icon: null, floor_type: floorType, sensor_id: id, valves: [] } : []
  })
  if (free.length === 0) return sensors.length === 0 ? null : <p className="text-soft">{t('new_rooms.all_have')}</p>
  return (
    <Section title={t('new_rooms.title')}>
      <p className="text-sm text-soft">{t('sensors.text')}</p>
      <Form onSubmit={() => run(() => addRooms(building.id, rooms))}>
        <ul className="space-y-2">
          {free.map((sensor) => (
            <li key={sensor.id}>
              <SensorLine sensor={sensor} isBreathedOn={sensor.id === breathed}>
                <div className="flex w-full flex-wrap items-end gap-2">
                  <div className="min-w-40 flex-1">
                    <Field
                      label={t('new_rooms.name', { id: shortId(sensor.id) })}
                      maxLength={NAME_MAX_LENGTH}
                      value={names[sensor.id] ?? ''}
                      onChange={({ target }) => setNames((before) => ({ ...before, [sensor.id]: target.value }))}
                    />
                  </div>
                  <Button
                    onClick={() => setDetailed(sensor.id)}
                    aria-label={t('new_rooms.details_of', { id: shortId(sensor.id) })}
                  >
                    {t('new_rooms.details')}
                  </Button>
                </div>
              </SensorLine>
            </li>
          ))}
        </ul>
        <Chips<FloorType>
          label={t('new_rooms.floor')}
          hint={t('new_rooms.floor_hint')}
          value={floorType}
          choices={FLOOR_TYPES.map((type) => ({ value: type, label: t(`floor.${type}`) }))}
          onChange={setFloorType}
        />
        {problem && <Problem>{problem}</Problem>}
        <Button type="submit" look="main" disabled={isBusy || rooms.length === 0}>
          {rooms.length === 0 ? t('new_rooms.add') : t('new_rooms.add_count', { n: rooms.length })}
        </Button>
      </Form>
      {detailed && (
        <NewRoomDialog
          building={building}
          gateways={gateways}
          sensorId={detailed}
          onClose={() => setDetailed(undefined)}
        />
      )}
    </Section>
  )
}
