import { longerNights, type RoomSettings, savingsOf } from '@hypocaust/control'
import { type Length, type Month, simulateMonth } from './month.ts'

/** Of a room's month, in percent of its heat: as the service says, and as the house took less that did it. */
export type SavingResult = { seed: number; name: string; change: string; said: number; error: number; truth: number }

const CHANGES = {
  halfDegree: (settings: RoomSettings) => ({ ...settings, targetC: settings.targetC - 0.5 }),
  hourOfNight: (settings: RoomSettings) => ({
    ...settings,
    programme: longerNights(settings.programme) ?? settings.programme,
  }),
}

/** Three months of the same house: as it is set, and with each change in all of its rooms. */
export function measureSavings(seed: number, length: Length | undefined): SavingResult[] {
  const own = simulateMonth({ seed, length })
  const said = own.rooms.map(({ state, slots, settings }) => savingsOf(state, slots, settings))
  return (Object.keys(CHANGES) as (keyof typeof CHANGES)[]).flatMap((change) => {
    const truth = truthOf(own, simulateMonth({ seed, length, change: CHANGES[change] }))
    return own.rooms.flatMap(({ name }, i) => {
      const saving = said[i]?.[change]
      return saving
        ? [{ seed, name, change, said: 100 * saving.share, error: 100 * saving.error, truth: 100 * (truth[i] ?? 0) }]
        : []
    })
  })
}

const truthOf = (own: Month, other: Month): number[] =>
  own.rooms.map(({ truthKwhM2 }, i) => 1 - sum(other.rooms[i]?.truthKwhM2 ?? []) / sum(truthKwhM2))

export function savingsTable(results: SavingResult[]): string {
  const lines = results.map(({ seed, name, change, said, error, truth }) =>
    [`${name} ${seed}`, change, `${said.toFixed(1)} % ± ${error.toFixed(1)} %`, `${truth.toFixed(1)} %`].join(' | '),
  )
  const within = results.filter(({ said, error, truth }) => Math.abs(said - truth) <= error).length
  return [
    'room, house | change | said | truth',
    '---|---|---|---',
    ...lines,
    '',
    `${within} of ${results.length} within ±`,
  ].join('\n')
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)
