import { readFileSync, writeFileSync } from 'node:fs'
import { withFigures } from '../figures.ts'
import { brokerUsPerMessage, buildingsPerCore, diskPerBuilding, perBuildingMinute } from './capacity.ts'
import type { Cost } from './costs.ts'
import { ROOMS } from './houses.ts'
import { ENGINE_NAMES, type EngineResult, type LoadResult } from './result.ts'
import { carried } from './rise.ts'

/** Puts the figures of a run into the page about scale. */
export function writeFigures(page: string, result: LoadResult): void {
  writeFileSync(page, withLoadFigures(readFileSync(page, 'utf8'), result))
}

export const withLoadFigures = (page: string, result: LoadResult) => withFigures(page, 'bench:load', figures(result))

function figures(result: LoadResult): string {
  const { machine, measuredAt, quick } = result
  const busy =
    machine.loadBefore > 0.5 * machine.cores
      ? ` The machine had other work to do meanwhile (load ${machine.loadBefore.toFixed(0)} on ${machine.cores} cores): times on the clock and what was carried are worse than on an idle one; processor time suffers less.`
      : ''
  return [
    `Measured ${measuredAt.slice(0, 10)} with \`npm run bench:load${quick ? ' -- --quick' : ''}\` on ${machine.processor}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}; service, databases, broker and load generator shared these cores.${busy}`,
    costTable(result),
    carriedTable(result),
    ingestLine(result),
    flatLine(result),
    millionTable(result),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const enginesOf = ({ engines }: LoadResult): [keyof typeof ENGINE_NAMES, EngineResult][] =>
  Object.entries(engines) as [keyof typeof ENGINE_NAMES, EngineResult][]

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

function costTable(result: LoadResult): string {
  const engines = enginesOf(result)
  const row = (what: string, of: (engine: EngineResult) => Cost): string[] => [
    what,
    ...engines.map(([name, engine]) => costText(name, of(engine))),
  ]
  return [
    '### What each thing costs\n',
    table(
      [
        'processor time, µs',
        ...engines.map(([name]) => `${ENGINE_NAMES[name]}${name === 'postgres' ? ' (service + database)' : ''}`),
      ],
      [
        row('a poll, nothing new (304)', ({ costs }) => costs.pollUnchanged),
        row('a poll, answered in full', ({ costs }) => costs.pollChanged),
        row('a PATCH, and the control that follows', ({ costs }) => costs.patch),
        row('a reading, stored and confirmed', ({ costs }) => costs.reading),
        row('a control tick of a room, without planning', ({ costs }) => costs.controlTick),
        row('a plan of a room, every half hour', ({ planUs }) => ({ serviceUs: planUs, databaseUs: 0 })),
        row(`**a building for a minute** (${ROOMS} rooms, 1 message, 2 polls)`, perBuildingMinute),
      ],
    ),
    '\n',
    table(
      ['disk', ...engines.map(([name]) => ENGINE_NAMES[name])],
      [
        ['a million readings, with indexes', ...engines.map(([, { size }]) => `${count(size.readingsMb)} MB`)],
        ['the record of their messages', ...engines.map(([, { size }]) => `${count(size.messagesMb)} MB`)],
        [
          'a building, 14 days raw and 92 days of five minutes',
          ...engines.map(([, engine]) => `${count(diskPerBuilding(engine).mb)} MB`),
        ],
        [
          'and each year of hourly means',
          ...engines.map(([, engine]) => `${count(diskPerBuilding(engine).mbPerYear)} MB`),
        ],
      ],
    ),
  ].join('\n')
}

function carriedTable(result: LoadResult): string {
  const rows = enginesOf(result).map(([name, { steps }]) => {
    const best = carried(steps)
    const why = steps.at(-1)?.saturated ?? 'not saturated'
    if (!best) return [ENGINE_NAMES[name], '–', '–', '–', '–', '–', '–', why]
    return [
      ENGINE_NAMES[name],
      count(best.buildings),
      count(best.readingsPerS),
      `${count(best.commit.p50Ms)} / ${count(best.commit.p99Ms)} ms`,
      count(best.pollsPerS),
      `${best.poll.p50Ms.toFixed(1)} / ${best.poll.p99Ms.toFixed(1)} ms`,
      `${count(best.residentMb)} MB`,
      why,
    ]
  })
  const head = ['', 'buildings', 'readings/s', 'p50 / p99', 'polls/s', 'p50 / p99', 'memory', 'then']
  return `### What one process carried\n\n${table(head, rows)}\n\n![Waiting times under rising load, and what things cost](../bench/results/load.svg)`
}

function ingestLine({ ingest, machine }: LoadResult): string {
  if (!ingest) return ''
  const mean = (processes: number): number => {
    const some = ingest.rounds.filter((round) => round.processes === processes)
    return some.reduce((sum, { readingsPerS }) => sum + readingsPerS, 0) / some.length
  }
  return `Three ingest processes against one, through Mosquitto into PostgreSQL: ${count(mean(3))} readings/s against ${count(mean(1))}, ratio **${ingest.ratio.toFixed(2)}** on ${machine.cores} cores that are shared with PostgreSQL, Mosquitto and the load. A message costs ${ingest.costRatio.toFixed(2)} times the processor time when three share the work: where that is near 1, more cores carry as much more.`
}

function flatLine({ flat }: LoadResult): string {
  if (!flat) return ''
  const { few, many, cpuRatio, p50Ratio } = flat
  return `The same requests on ${count(few.buildings)} and on ${count(many.buildings)} buildings in ${ENGINE_NAMES[flat.engine]}, turn about: ${count(few.cpuUs)} and ${count(many.cpuUs)} µs of processor time each, ratio **${cpuRatio.toFixed(2)}**; median ${few.p50Ms.toFixed(1)} and ${many.p50Ms.toFixed(1)} ms, ratio ${p50Ratio.toFixed(2)}.`
}

/** Reckoned from the costs, at half load: the other half is for the evening, a lost machine and catching up. */
const SPARE = 0.5

function millionTable(result: LoadResult): string {
  const postgres = result.engines.postgres
  if (!postgres) return ''
  const { serviceUs, databaseUs } = perBuildingMinute(postgres)
  const brokerUs = brokerUsPerMessage(result)
  const disk = diskPerBuilding(postgres)
  const cores = (buildings: number, us: number) => count(Math.ceil(buildings / (buildingsPerCore(us) * SPARE)))
  const sizes = [1000, 100_000, 1_000_000]
  const row = (what: string, of: (buildings: number) => string): string[] => [what, ...sizes.map(of)]
  return [
    '### From one house to a million\n',
    `One core, fully used, does the work of the service for **${count(buildingsPerCore(serviceUs))} buildings**; one core of PostgreSQL for **${count(buildingsPerCore(databaseUs))}**${brokerUs ? `; one core of Mosquitto for **${count(buildingsPerCore(brokerUs))}**` : ''}. Reckoned from the table above, with every core half used:\n`,
    table(
      ['buildings', ...sizes.map(count)],
      [
        row('readings/s', (n) => count((n * ROOMS) / 60)),
        row('polls/s', (n) => count((n * 2) / 60)),
        row('cores of the service', (n) => cores(n, serviceUs)),
        row('cores of PostgreSQL', (n) => cores(n, databaseUs)),
        ...(brokerUs ? [row('cores of the broker', (n) => cores(n, brokerUs))] : []),
        row('disk', (n) => `${count((n * disk.mb) / 1000)} GB`),
      ],
    ),
  ].join('\n')
}

const costText = (engine: string, { serviceUs, databaseUs }: Cost): string =>
  engine === 'sqlite' ? count(serviceUs) : `${count(serviceUs)} + ${count(databaseUs)}`

const count = (value: number): string => Math.round(value).toLocaleString('en')
