import type { Costs } from './costs.ts'
import type { Engine } from './options.ts'
import { ENGINE_NAMES, type EngineResult, type LoadResult } from './result.ts'
import { carried, type Step } from './rise.ts'

const WIDTH = 1000
const HEIGHT = 760
const COLOURS: Record<Engine, string> = { sqlite: '#0f766e', postgres: '#c2410c' }
const GREY = '#64748b'
const CHART = { width: 400, height: 250, top: 110 }

const COST_LABELS: Record<keyof Costs, string> = {
  pollUnchanged: 'poll, 304',
  pollChanged: 'poll, 200',
  patch: 'PATCH',
  reading: 'reading',
  controlTick: 'control of a room',
}

/** How long gateways and programs wait as the load rises, what each thing costs, and the figures to remember. */
export function loadPlot(result: LoadResult): string {
  const engines = Object.entries(result.engines) as [Engine, EngineResult][]
  const { machine, measuredAt } = result
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="13" fill="#1e293b">`,
    '<title>One Hypocaust process under rising load</title>',
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(60, 34, 'One process under rising load', 'font-size="20" font-weight="600"'),
    text(
      60,
      56,
      `${machine.processor}, ${machine.cores} cores shared with the load generator, ${measuredAt.slice(0, 10)}${result.quick ? ', quick run' : ''}`,
      `fill="${GREY}"`,
    ),
    chart(60, 'Until a reading is confirmed', engines, (step) => step.commit),
    chart(560, 'Until a poll is answered', engines, (step) => step.poll),
    legend(engines),
    costBars(engines, 440),
    keyFigures(result, engines, 440),
    '</svg>\n',
  ].join('\n')
}

const text = (x: number, y: number, words: string, rest = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${rest}>${words}</text>`

type Scale = (value: number) => number

function logScale(low: number, high: number, from: number, to: number): Scale {
  const span = Math.log(high / low) || 1
  return (value) => from + (Math.log(Math.max(value, low) / low) / span) * (to - from)
}

function chart(
  left: number,
  title: string,
  engines: [Engine, EngineResult][],
  value: (step: Step) => { p50Ms: number; p99Ms: number },
): string {
  const steps = engines.flatMap(([, { steps }]) => steps)
  const { top, width, height } = CHART
  const loads = steps.map(({ buildings }) => buildings)
  const waits = steps.flatMap((step) => [value(step).p50Ms, value(step).p99Ms])
  const x = logScale(Math.min(...loads), Math.max(...loads), left, left + width - 30)
  const [low, high] = [10 ** Math.floor(Math.log10(Math.max(0.1, Math.min(...waits)))), Math.max(...waits) * 1.3]
  const y = logScale(low, high, top + height, top)
  const decades = Array.from({ length: 7 }, (_, i) => low * 10 ** i).filter((each) => each <= high)
  return [
    text(left, top - 18, title, 'font-size="15" font-weight="600"'),
    ...decades.map(
      (each) =>
        `<path d="M${left} ${y(each).toFixed(1)}h${width - 30}" stroke="#e2e8f0"/>${text(left - 8, y(each) + 4, waitText(each), `text-anchor="end" fill="${GREY}" font-size="11"`)}`,
    ),
    ...[...new Set(loads)]
      .toSorted((a, b) => a - b)
      .filter((_, i) => i % 2 === 0)
      .map((each) =>
        text(x(each), top + height + 18, count(each), `text-anchor="middle" fill="${GREY}" font-size="11"`),
      ),
    text(left + width - 30, top + height + 34, 'buildings', `text-anchor="end" fill="${GREY}" font-size="11"`),
    ...engines.map(([engine, result]) => line(engine, result.steps, x, y, value)),
  ].join('\n')
}

function line(
  engine: Engine,
  steps: Step[],
  x: Scale,
  y: Scale,
  value: (step: Step) => { p50Ms: number; p99Ms: number },
): string {
  const path = (of: 'p50Ms' | 'p99Ms') =>
    steps
      .map((step, i) => `${i === 0 ? 'M' : 'L'}${x(step.buildings).toFixed(1)} ${y(value(step)[of]).toFixed(1)}`)
      .join('')
  const colour = COLOURS[engine]
  const dot = (step: Step) =>
    `<circle cx="${x(step.buildings).toFixed(1)}" cy="${y(value(step).p99Ms).toFixed(1)}" r="4" fill="${step.saturated ? '#fff' : colour}" stroke="${colour}" stroke-width="2"/>`
  return [
    `<path d="${path('p50Ms')}" fill="none" stroke="${colour}" stroke-width="1.5" stroke-dasharray="4 3"/>`,
    `<path d="${path('p99Ms')}" fill="none" stroke="${colour}" stroke-width="2.5"/>`,
    ...steps.map(dot),
  ].join('\n')
}

function legend(engines: [Engine, EngineResult][]): string {
  const names = engines.map(
    ([engine], i) =>
      `<circle cx="${700 + 110 * i}" cy="30" r="5" fill="${COLOURS[engine]}"/>${text(712 + 110 * i, 34, ENGINE_NAMES[engine])}`,
  )
  return [
    ...names,
    text(60, HEIGHT - 20, 'solid: p99, dashed: median, hollow: no longer keeps up', `fill="${GREY}" font-size="12"`),
  ].join('\n')
}

/** Processor time, the database's part in a lighter shade. */
function costBars(engines: [Engine, EngineResult][], top: number): string {
  const kinds = Object.keys(COST_LABELS) as (keyof Costs)[]
  const most = Math.max(...engines.flatMap(([, { costs }]) => kinds.map((kind) => total(costs[kind]))), 1)
  const scale = 250 / most
  const rows = kinds.flatMap((kind, row) => {
    const y = top + 30 + 48 * row
    return [
      text(170, y + 15, COST_LABELS[kind], 'text-anchor="end"'),
      ...engines.map(([engine, { costs }], i) => {
        const { serviceUs, databaseUs } = costs[kind]
        const [own, database] = [Math.max(0, serviceUs) * scale, Math.max(0, databaseUs) * scale]
        const at = y + 18 * i
        return `<rect x="180" y="${at - 6}" width="${own.toFixed(1)}" height="14" fill="${COLOURS[engine]}"/><rect x="${(180 + own).toFixed(1)}" y="${at - 6}" width="${database.toFixed(1)}" height="14" fill="${COLOURS[engine]}" fill-opacity="0.4"/>${text(186 + own + database, at + 5, `${count(serviceUs + databaseUs)} µs`, 'font-size="11"')}`
      }),
    ]
  })
  return [
    text(60, top, 'What it costs in processor time (lighter: in the database)', 'font-size="15" font-weight="600"'),
    ...rows,
  ].join('\n')
}

const total = ({ serviceUs, databaseUs }: Costs[keyof Costs]): number =>
  Math.max(0, serviceUs) + Math.max(0, databaseUs)

function keyFigures(result: LoadResult, engines: [Engine, EngineResult][], top: number): string {
  const figures: [figure: string, meaning: string][] = engines.flatMap(([engine, { steps, size }]) => {
    const best = carried(steps)
    return [
      [
        best ? count(best.buildings) : '–',
        `buildings on ${ENGINE_NAMES[engine]}: ${count(best?.readingsPerS ?? 0)} readings/s, ${count(best?.pollsPerS ?? 0)} polls/s`,
      ],
      [`${count(size.readingsMb)} MB`, `for a million readings in ${ENGINE_NAMES[engine]}`],
    ] as [string, string][]
  })
  if (result.ingest)
    figures.push([`×${result.ingest.ratio.toFixed(2)}`, 'readings/s with three ingest processes against one'])
  if (result.flat)
    figures.push([
      `×${result.flat.cpuRatio.toFixed(2)}`,
      `a request with ${count(result.flat.many.buildings)} buildings against ${count(result.flat.few.buildings)}`,
    ])
  return [
    text(560, top, 'To remember', 'font-size="15" font-weight="600"'),
    ...figures.map(
      ([figure, meaning], i) =>
        text(650, top + 40 + 42 * i, figure, 'font-size="20" font-weight="600" text-anchor="end"') +
        text(664, top + 39 + 42 * i, meaning, 'font-size="12"'),
    ),
  ].join('\n')
}

const waitText = (ms: number): string => (ms >= 1000 ? `${ms / 1000} s` : `${Number(ms.toPrecision(1))} ms`)

const count = (value: number): string => Math.round(value).toLocaleString('en')
