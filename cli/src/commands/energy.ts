import type { DaySpan, Energy, HypocaustClient } from '@hypocaust/client'
import type { Command } from 'commander'
import { UsageFailure } from '../failure.ts'
import { asHolder, chosenBuildings } from '../holder/session.ts'
import { widthOf } from '../holder/text-width.ts'
import { printJson } from '../output.ts'

interface EnergyFlags {
  building?: string
  month?: string
  from?: string
  to?: string
  json?: boolean
}

export function energyCommand(program: Command): void {
  program
    .command('energy')
    .description('show the heat and cost of each room: this month unless given')
    .option('--building <NAME>', 'only this building')
    .option('--month <MONTH>', 'a whole month, as 2026-01')
    .option('--from <DAY>', 'first day, as 2026-01-01')
    .option('--to <DAY>', 'last day, as 2026-01-31')
    .option('--json', 'print JSON')
    .action(async (flags: EnergyFlags) => {
      const days = daysOf(flags)
      const shown = await asHolder((client) => energyOf(client, flags.building, days))
      if (flags.json) printJson(shown)
      else console.log(shown.map(({ name, energy }) => tableOf(name, energy)).join('\n\n'))
    })
}

function daysOf({ month, from, to }: EnergyFlags): DaySpan {
  if (month === undefined) return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  if (from !== undefined || to !== undefined)
    throw new UsageFailure('--month stands for --from and --to; give one of them')
  const [, year, index] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? []
  if (year === undefined) throw new UsageFailure(`--month: ${month} is not a month; for example 2026-01`)
  const last = new Date(Date.UTC(Number(year), Number(index), 0)).toISOString().slice(0, 10)
  return { from: `${month}-01`, to: last }
}

async function energyOf(client: HypocaustClient, building: string | undefined, days: DaySpan) {
  const buildings = await chosenBuildings(client, building)
  return Promise.all(buildings.map(async ({ id, name }) => ({ id, name, energy: await client.getEnergy(id, days) })))
}

/** By the square metre where the area of the room is not known. */
const heatOf = ({ heat, heat_per_m2 }: Energy['rooms'][number]): string =>
  heat === null && heat_per_m2 !== null ? `${heat_per_m2.toFixed(1)} kWh/m²` : kwh(heat)

const COLUMNS = ['Room', 'Heat', 'Range', 'Share', 'Cost', 'Half a degree less']

function tableOf(name: string, energy: Energy): string {
  const { from, to, heat, cost, currency, rooms, metered_days } = energy
  const rows = [
    COLUMNS,
    ...rooms.map((room) => [
      room.name,
      heatOf(room),
      rangeOf(room),
      room.share === null ? '–' : `${Math.round(100 * room.share)} %`,
      money(room.cost, currency),
      savedWith(room.savings?.half_degree_less),
    ]),
    ['All', kwh(heat), rangeOf(energy), '', money(cost, currency)],
  ]
  const widths = COLUMNS.map((_, i) => Math.max(...rows.map((row) => widthOf(row[i] ?? ''))))
  const lines = rows.map((row) =>
    row
      .map((cell, i) => padded(cell, widths[i] ?? 0, i > 0))
      .join('  ')
      .trimEnd(),
  )
  const basis =
    metered_days > 0 ? `scaled by a heat meter (${metered_days} days)` : 'no heat meter: only ratios are reliable'
  return [
    `${name}, ${from} to ${to}, ${basis}; estimates, not a bill; nine times out of ten the truth is within the range`,
    ...lines,
  ].join('\n')
}

/** A service of an older version does not say. */
const rangeOf = ({ heat_low: low, heat_high: high }: Partial<Pick<Energy, 'heat_low' | 'heat_high'>>): string =>
  low == null || high == null ? '–' : `${inKwh(low)} to ${inKwh(high)} kWh`

/** What is within its error is no saving. A service of an older version does not say. */
function savedWith(saved: { percent: number; plus_minus: number } | undefined): string {
  if (!saved) return '–'
  return saved.percent > saved.plus_minus ? `saves ${saved.percent} % ± ${saved.plus_minus}` : 'saves nothing'
}

const money = (value: number | null, currency: string | null): string =>
  value === null ? '–' : `${value.toFixed(2)}${currency === null ? '' : ` ${currency}`}`

const kwh = (value: number | null): string => (value === null ? '–' : `${inKwh(value)} kWh`)

/** Small ones with a decimal, so that little heat is not none. */
const inKwh = (value: number): string => value.toFixed(value < 10 ? 1 : 0)

const padded = (text: string, width: number, isRight: boolean): string => {
  const gap = ' '.repeat(Math.max(0, width - widthOf(text)))
  return isRight ? gap + text : text + gap
}
