import type { RoomShare } from '@hypocaust/control'
import { errorOf, type RoomResult } from './estimate.ts'

/** Standard deviations to either side that hold nine of ten. */
const NINE_OF_TEN = 1.65

/** One line a room, as Markdown: what the floor took in the month, and how far off the estimates are. */
export function energyTable(results: RoomResult[]): string {
  const lines = results.map(({ seed, name, floorType, truthKwh, alone, metered }) =>
    [`${name} (${floorType}) ${seed}`, kwh(truthKwh), ...cells(alone, truthKwh), ...cells(metered, truthKwh)].join(
      ' | ',
    ),
  )
  return [
    'room, house | truth | no meter | error | heat meter | error',
    '---|---|---|---|---|---',
    ...lines,
    '',
    `without a meter ${coverage(results.map(({ alone, truthKwh }) => ({ share: alone, truthKwh })))}`,
    `with a heat meter ${coverage(results.flatMap(({ metered, truthKwh }) => (metered ? [{ share: metered, truthKwh }] : [])))}`,
  ].join('\n')
}

function cells(share: RoomShare | null, truthKwh: number): string[] {
  return share ? [`${kwh(share.heatKwh)} ± ${percent(share.spread)}`, signed(errorOf(share, truthKwh))] : ['–', '–']
}

function coverage(all: { share: RoomShare; truthKwh: number }[]): string {
  const sizes = all.map(({ share, truthKwh }) => Math.abs(Math.log(share.heatKwh / truthKwh)))
  const within = (times: number) => sizes.filter((size, i) => size <= times * (all[i]?.share.spread ?? 0)).length
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length
  const share = (times: number) => percent(within(times) / all.length)
  return `${all.length} rooms, mean error ${percent(mean)}: ${share(1)} within ±, ${share(NINE_OF_TEN)} within ${NINE_OF_TEN} ±, ${share(2)} within twice as much`
}

const kwh = (value: number): string => `${value.toFixed(0)} kWh`
const percent = (share: number): string => `${Math.round(100 * share)} %`
const signed = (share: number): string => `${share < 0 ? '−' : '+'}${Math.round(Math.abs(100 * share))} %`
