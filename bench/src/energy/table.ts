import { likelyHeat, type RoomShare, spreadOfAll } from '@hypocaust/control'
import { errorOf, type RoomResult } from './estimate.ts'

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
    `whole houses without a meter ${coverage(housesOf(results))}`,
    `with a heat meter ${coverage(results.flatMap(({ metered, truthKwh }) => (metered ? [{ share: metered, truthKwh }] : [])))}`,
  ].join('\n')
}

function cells(share: RoomShare | null, truthKwh: number): string[] {
  return share ? [`${kwh(share.heatKwh)} ± ${percent(share.spread)}`, signed(errorOf(share, truthKwh))] : ['–', '–']
}

type Estimated = { share: RoomShare; truthKwh: number }

function housesOf(results: RoomResult[]): Estimated[] {
  return [...Map.groupBy(results, ({ seed }) => seed).values()].map((rooms) => {
    const shares = rooms.map(({ alone }) => alone)
    const heatKwh = shares.reduce((sum, each) => sum + each.heatKwh, 0)
    const truthKwh = rooms.reduce((sum, each) => sum + each.truthKwh, 0)
    return { share: { heatKwh, spread: spreadOfAll(shares, false) }, truthKwh }
  })
}

function coverage(all: Estimated[]): string {
  const ratios = all.map(({ share, truthKwh }) => share.heatKwh / truthKwh)
  const within = all.filter(({ share, truthKwh }) => Math.abs(Math.log(share.heatKwh / truthKwh)) <= share.spread)
  const likely = all.filter(({ share, truthKwh }) => {
    const { leastKwh, mostKwh } = likelyHeat(share)
    return leastKwh <= truthKwh && truthKwh <= mostKwh
  })
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2))
  return `(${all.length}): ${least} to ${most} of the truth; ${within.length} within ±, ${likely.length} within the range of nine out of ten`
}

const kwh = (value: number): string => `${value.toFixed(0)} kWh`
const percent = (share: number): string => `${Math.round(100 * share)} %`
const signed = (share: number): string => `${share < 0 ? '−' : '+'}${Math.round(Math.abs(100 * share))} %`
