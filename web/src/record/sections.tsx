import type { AppRoom, RoomExplanation } from '@hypocaust/domain'
import type { ReactNode } from 'react'
import { useWords } from '../i18n/index.tsx'
import { readingsOf } from '../room/sensors.ts'
import { Section } from '../ui/basics.tsx'
import { batteriesOf, type Installed } from './checks.ts'
import { useDated } from './dated.ts'
import { Facts } from './facts.tsx'

const LIST = 'divide-y divide-line'

export function GatewayRecord({ installed: { building, gateways } }: { installed: Installed }) {
  const { t } = useWords()
  const dated = useDated()
  return (
    <Section title={t('record.gateways')}>
      <ul className={LIST}>
        {gateways.map(({ id, name, version, channels, last_seen }) => (
          <Facts
            key={id}
            name={name}
            facts={[
              [t('record.last_contact'), last_seen === null ? t('record.never') : dated(last_seen, building.timezone)],
              [t('record.version'), version ?? '–'],
              [t('record.channels'), channels ?? '–'],
            ]}
          />
        ))}
      </ul>
    </Section>
  )
}

/** How well each room is known, where the control has decided anything yet. */
type Accuracies = ReadonlyMap<string, RoomExplanation | null | undefined>

export function RoomRecord({ installed: { building }, accuracies }: { installed: Installed; accuracies: Accuracies }) {
  const { t, format } = useWords()
  const dated = useDated()
  const reading = (room: AppRoom) =>
    readingsOf(room)
      .map(({ temperature, timestamp }) => `${format.degrees(temperature)}°, ${dated(timestamp, building.timezone)}`)
      .join('; ') || t('record.never')
  return (
    <Section title={t('record.rooms')}>
      <ul className={LIST}>
        {building.rooms.map((room) => {
          const confidence = accuracies.get(room.id)?.confidence
          return (
            <Facts
              key={room.id}
              name={room.name}
              facts={[
                [t('record.floor'), t(`floor.${room.floor_type}`)],
                [t('record.area'), room.area_m2 === null ? '–' : `${format.input(room.area_m2)} m²`],
                [t('record.floor_limit'), `${format.degrees(room.max_floor_temperature)}°`],
                [t('record.target'), `${format.degrees(room.target_temperature)}°`],
                [
                  t('record.sensor'),
                  [room.sensor_id, ...(room.other_sensors?.sensors.map(({ id }) => id) ?? [])].join(', '),
                ],
                [t('record.reading'), reading(room)],
                [t('record.floor_sensor'), room.floor_sensor_id ?? '–'],
                [t('record.accuracy'), confidence === undefined ? '–' : format.percent(confidence)],
              ]}
            />
          )
        })}
      </ul>
    </Section>
  )
}

interface LoopRecordProps {
  installed: Installed
  loopName(loop: { gateway_id: string; channel: number }): string
  /** How its figures are entered. */
  enter(loop: Installed['loops'][number]): ReactNode
}

export function LoopRecord({ installed: { building, gateways, loops }, loopName, enter }: LoopRecordProps) {
  const { t, format } = useWords()
  const dated = useDated()
  const tested = (at: string) => dated(at, building.timezone)
  const entered = (figure: number | null) => (figure === null ? '–' : format.input(figure))
  return (
    <Section title={t('loops.title')}>
      <ul className={LIST}>
        {loops.map((loop) => {
          const gateway = gateways.find(({ id }) => id === loop.gateway_id)
          const relay = gateway?.relays.find(({ channel }) => channel === loop.channel)
          return (
            <Facts
              key={loopName(loop)}
              name={loopName(loop)}
              facts={[
                [t('record.room'), building.rooms.find(({ id }) => id === loop.room_id)?.name ?? t('loops.no_room')],
                [t('record.tested'), loop.tested === null ? t('loops.untested') : tested(loop.tested.at)],
                [t('record.certainty'), loop.tested?.certainty == null ? '–' : format.percent(loop.tested.certainty)],
                [t('record.relay'), relay ? t(`record.relay_${relay.state}`) : '–'],
                [t('record.auto_off'), relay ? t(`record.auto_off_${relay.auto_off}`) : '–'],
                [t('record.wiring'), `${gateway?.name ?? '–'}, ${loop.channel}`],
                [t('record.length_m'), entered(loop.length_m)],
                [t('record.spacing_mm'), entered(loop.spacing_mm)],
                [t('record.design_flow_l_min'), entered(loop.design_flow_l_min)],
                [t('record.covering'), loop.covering ?? '–'],
              ]}
            >
              {enter(loop)}
            </Facts>
          )
        })}
      </ul>
    </Section>
  )
}

export function BatteryRecord({ installed }: { installed: Installed }) {
  const { t, format } = useWords()
  const dated = useDated()
  const batteries = batteriesOf(installed)
  return (
    <Section title={t('record.batteries')}>
      {batteries.length === 0 && <p className="text-soft">{t('record.no_batteries')}</p>}
      <ul className={LIST}>
        {batteries.map(({ id, name, percent, timestamp }) => (
          <Facts
            key={id}
            name={name}
            facts={[
              [t('record.device'), id],
              [t('record.charge'), format.percent(percent / 100)],
              [t('record.last_contact'), dated(timestamp, installed.building.timezone)],
            ]}
          />
        ))}
      </ul>
    </Section>
  )
}
