import { HOLD, type PlantResult, SAVING } from './compare.ts'
import type { TracePoint } from './run.ts'
import type { Summary } from './summary.ts'

const WIDTH = 980
const LEFT = 120
const COLOURS: Record<string, string> = {
  hypocaust: '#c2410c',
  'hypocaust-saving': '#f59e0b',
  hysteresis: '#64748b',
  'tpi-30min': '#0ea5e9',
  perfect: '#16a34a',
}
const SHOWN = ['hysteresis', 'tpi-30min', 'hypocaust-saving', 'hypocaust']

/** Some days of one room above, the cost of every scenario below. */
export function plot(summary: Summary, traced: PlantResult | undefined): string {
  const days = traced ? trace(traced, 40, 300) : ''
  const barsTop = traced ? 430 : 60
  const rows = Object.keys(summary.scenarios).length
  const heatTop = barsTop + 46 * rows + 50
  const bars = [costs(summary, barsTop), heat(summary, heatTop)].join('\n')
  const height = heatTop + 34 * rows + 30
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#1e293b">`,
    '<title>Comfort and heat: Hypocaust, the thermostats people run today, and perfect foresight</title>',
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    days,
    bars,
    '</svg>\n',
  ].join('\n')
}

function trace({ choice, controllers }: PlantResult, top: number, height: number): string {
  const lines = SHOWN.map((name) => ({
    name,
    points: (controllers[name]?.trace ?? []).filter(({ nowS }) => nowS >= 8 * 86_400 && nowS < 11 * 86_400),
  }))
  const all = lines.flatMap(({ points }) => points)
  if (all.length === 0) return ''
  const low = Math.min(...all.map((point) => Math.min(point.scoredC, point.targetC - 0.5))) - 0.1
  const high = Math.max(...all.map((point) => Math.max(point.scoredC, point.targetC + 0.5))) + 0.1
  const x = (nowS: number) => LEFT + ((nowS - 8 * 86_400) / (3 * 86_400)) * (WIDTH - LEFT - 30)
  const y = (celsius: number) => top + height - ((celsius - low) / (high - low)) * height
  const path = (points: TracePoint[], value: (point: TracePoint) => number) =>
    points.map((point, i) => `${i === 0 ? 'M' : 'L'}${x(point.nowS).toFixed(1)} ${y(value(point)).toFixed(1)}`).join('')
  const ours = lines.find(({ name }) => name === 'hypocaust')?.points ?? []
  const band = `${path(ours, (point) => point.targetC + 0.5)}${path([...ours].reverse(), (point) => point.targetC - 0.5).replace('M', 'L')}Z`
  return [
    `<text x="${LEFT}" y="24" font-size="16" font-weight="600">Three days of a ${choice.floorType} floor, ${choice.scenario}: what people feel, and the comfort band</text>`,
    `<path d="${band}" fill="#fde68a" fill-opacity="0.5"/>`,
    ...ticks(low, high).map(
      (celsius) =>
        `<text x="${LEFT - 10}" y="${y(celsius) + 4}" text-anchor="end">${celsius} °C</text><path d="M${LEFT} ${y(celsius)}H${WIDTH - 30}" stroke="#e2e8f0"/>`,
    ),
    ...lines.map(
      ({ name, points }) =>
        `<path d="${path(points, (point) => point.scoredC)}" fill="none" stroke="${COLOURS[name]}" stroke-width="${name === 'hypocaust' ? 2.5 : 1.5}"/>`,
    ),
    ...SHOWN.map(
      (name, i) => `<text x="${LEFT + 150 * i}" y="${top + height + 24}" fill="${COLOURS[name]}">■ ${name}</text>`,
    ),
  ].join('\n')
}

const ticks = (low: number, high: number) =>
  Array.from({ length: Math.floor(high) - Math.ceil(low) + 1 }, (_, i) => Math.ceil(low) + i)

/** J of the best peer as shipped, of ours and of the limit, scenario by scenario. */
function costs({ scenarios }: Summary, top: number): string {
  const rows = Object.entries(scenarios).map(([name, { controllers, gapClosed }]) => {
    const peers = Object.entries(controllers).filter(([, each]) => each.kind === 'peer')
    const best = peers.reduce((a, b) => (b[1].j < a[1].j ? b : a))
    const bars = [best, [SAVING, controllers[SAVING]] as const, ['perfect', controllers.perfect] as const]
    return { name, gapClosed, bars: bars.flatMap(([who, each]) => (each ? [{ who, j: each.j }] : [])) }
  })
  const largest = Math.max(...rows.flatMap(({ bars }) => bars.map(({ j }) => j)))
  const scale = (WIDTH - LEFT - 260) / largest
  const heading = `<text x="${LEFT}" y="${top - 14}" font-size="16" font-weight="600">What a week costs: heat in kWh/m² and discomfort (J, lower is better)</text>`
  const drawn = rows.map(({ name, gapClosed, bars }, row) => {
    const y = top + 46 * row
    const gap = gapClosed === null ? '' : `gap closed ${Math.round(100 * gapClosed)} %`
    return [
      `<text x="${LEFT - 10}" y="${y + 24}" text-anchor="end">${name}</text>`,
      ...bars.map(
        ({ who, j }, i) =>
          `<rect x="${LEFT}" y="${y + 12 * i}" width="${(j * scale).toFixed(1)}" height="10" fill="${COLOURS[who] ?? '#94a3b8'}"/><text x="${(LEFT + j * scale + 6).toFixed(1)}" y="${y + 12 * i + 9}" font-size="10">${who} ${j.toFixed(2)}</text>`,
      ),
      `<text x="${WIDTH - 30}" y="${y + 24}" text-anchor="end" font-weight="600">${gap}</text>`,
    ].join('\n')
  })
  return [heading, ...drawn].join('\n')
}

/** Heat of the best peer and of ours, both as warm on average as ours holds the room. */
function heat({ scenarios }: Summary, top: number): string {
  const rows = Object.entries(scenarios).map(([name, { controllers }]) => {
    const peers = Object.entries(controllers).flatMap(([who, { kind, equalMean }]) =>
      kind === 'peer' && equalMean ? [{ who, ...equalMean }] : [],
    )
    const best = peers.toSorted((a, b) => a.j - b.j).slice(0, 1)
    const ours = { who: HOLD, energyKwhM2: controllers[HOLD]?.energyKwhM2 ?? 0 }
    return { name, bars: [...best, ours] }
  })
  const largest = Math.max(...rows.flatMap(({ bars }) => bars.map(({ energyKwhM2 }) => energyKwhM2)))
  const scale = (WIDTH - LEFT - 260) / largest
  const drawn = rows.map(({ name, bars }, row) => {
    const y = top + 34 * row
    return [
      `<text x="${LEFT - 10}" y="${y + 16}" text-anchor="end">${name}</text>`,
      ...bars.map(
        ({ who, energyKwhM2 }, i) =>
          `<rect x="${LEFT}" y="${y + 12 * i}" width="${(energyKwhM2 * scale).toFixed(1)}" height="10" fill="${COLOURS[who] ?? '#94a3b8'}"/><text x="${(LEFT + energyKwhM2 * scale + 6).toFixed(1)}" y="${y + 12 * i + 9}" font-size="10">${who} ${energyKwhM2.toFixed(2)}</text>`,
      ),
    ].join('\n')
  })
  const heading = `<text x="${LEFT}" y="${top - 14}" font-size="16" font-weight="600">Heat of a week in kWh/m² at the same mean temperature in occupied hours</text>`
  return [heading, ...drawn].join('\n')
}
