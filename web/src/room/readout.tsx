import { useWords } from '../i18n/index.tsx'
import type { Moment, Series } from './moment.ts'

const MARKS: Record<Series, string> = {
  temperature: 'bg-ink',
  target: 'bg-[var(--setpoint)]',
  power: 'bg-warm',
  outdoor: 'bg-[var(--outdoor)]',
  humidity: 'bg-[var(--humid)]',
  surface_humidity: 'bg-[var(--humid)]',
  expected: 'bg-ink',
  planned: 'bg-warm',
  price: 'bg-edge',
}

/** All values at the crosshair, or at the latest moment that has any: numbers beside the picture. */
export function Readout({ moment }: { moment: Moment }) {
  const { t } = useWords()
  return (
    <dl aria-live="off" className="grid grid-cols-2 gap-x-4 gap-y-1 py-1 text-sm tabular-nums sm:grid-cols-3">
      <Value isWide name={t('readout.time')} value={moment.time} />
      {moment.values.map(({ key, value }) => (
        <Value key={key} name={t(`readout.${key}`)} value={value} mark={MARKS[key]} />
      ))}
    </dl>
  )
}

function Value({ name, value, mark, isWide }: { name: string; value: string; mark?: string; isWide?: boolean }) {
  return (
    <div className={`flex items-center gap-1.5 ${isWide ? 'col-span-full' : ''}`}>
      {mark && <span aria-hidden="true" className={`h-1 w-3 rounded ${mark}`} />}
      <dt className="text-soft">{name}</dt>
      <dd className="font-medium">{value}</dd>
    </div>
  )
}
