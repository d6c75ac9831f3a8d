import type { ReportedSensor } from '@hypocaust/domain'
import type { ReactNode } from 'react'
import { useNow } from '../api/now.ts'
import { useWords } from '../i18n/index.tsx'
import { Section } from '../ui/basics.tsx'
import { Degrees } from '../ui/degrees.tsx'
import { Icon } from '../ui/icon.tsx'
import { breathedOn } from './breath.ts'
import { shortId } from './sensor-name.ts'

export function SensorList({ sensors }: { sensors: ReportedSensor[] }) {
  const { t } = useWords()
  const breathed = breathedOn(sensors)
  return (
    <Section title={t('sensors.title')}>
      <p className="text-sm text-soft">{t(sensors.length === 0 ? 'sensors.none' : 'sensors.text')}</p>
      <ul className="space-y-2">
        {sensors.map((sensor) => (
          <li key={sensor.id}>
            <SensorLine sensor={sensor} isBreathedOn={sensor.id === breathed} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

interface Props {
  sensor: ReportedSensor
  isBreathedOn: boolean
  /** What can be done with it. */
  children?: ReactNode
}

export function SensorLine({ sensor, isBreathedOn, children }: Props) {
  const { t, format } = useWords()
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
      {children}
    </div>
  )
}
