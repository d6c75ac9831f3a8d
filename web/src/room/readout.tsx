import type { RoomHistory } from '@hypocaust/domain'
import { DAY_S } from '@hypocaust/domain/facts'
import { useWords } from '../i18n/index.tsx'

/** All values at the crosshair, or at the latest moment that has any: numbers beside the picture. */
export function Readout({
  history,
  index,
  timeZone,
}: {
  history: RoomHistory
  index: number | null
  timeZone: string
}) {
  const { t, format } = useWords()
  const i = index ?? lastKnown(history)
  const time = history.times[i]
  const at = (values: (number | null)[]) => values[i] ?? null
  const degrees = (value: number | null) => (value === null ? '–' : `${format.degrees(value)}°`)
  const percent = (value: number | null) => (value === null ? '–' : format.percent(value))
  const humidity = at(history.humidity)
  const name = history.step_s < DAY_S ? format.moment : format.date
  return (
    <dl aria-live="off" className="grid grid-cols-2 gap-x-4 gap-y-1 py-1 text-sm tabular-nums sm:grid-cols-3">
      <Value isWide name={t('readout.time')} value={time === undefined ? '–' : name(time * 1000, timeZone)} />
      <Value name={t('readout.temperature')} value={degrees(at(history.temperature))} mark="bg-ink" />
      <Value name={t('readout.target')} value={degrees(at(history.target))} mark="bg-soft" />
      <Value name={t('readout.power')} value={percent(at(history.power))} mark="bg-warm" />
      <Value name={t('readout.outdoor')} value={degrees(at(history.outdoor))} mark="bg-[var(--outdoor)]" />
      <Value
        name={t('readout.humidity')}
        value={percent(humidity === null ? null : humidity / 100)}
        mark="bg-[var(--humid)]"
      />
    </dl>
  )
}

/** By hand: `findLastIndex` is missing in browsers that can do everything else. */
function lastKnown({ temperature }: RoomHistory): number {
  let i = temperature.length - 1
  while (i >= 0 && temperature[i] === null) i--
  return i
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
