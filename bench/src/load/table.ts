import type { Cost, Costs } from './costs.ts'
import type { Engine } from './options.ts'
import { ENGINE_NAMES, type EngineResult, type LoadResult } from './result.ts'
import { carried, type Step } from './rise.ts'

const COST_NAMES: Record<keyof Costs, string> = {
  pollUnchanged: 'poll, nothing new (304)',
  pollChanged: 'poll, answered in full',
  patch: 'PATCH and what follows from it',
  reading: 'reading, stored and confirmed',
  controlTick: 'room stepped by the control',
}

export function tablesOf(result: LoadResult): string {
  const { machine, building, engines, ingest, flat, missing, quick } = result
  const parts = [
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}; load before: ${machine.loadBefore.toFixed(1)}${quick ? '; quick, so coarse' : ''}`,
    `a building: ${building.rooms} rooms, ${building.messagesPerMinute} message of ${building.rooms} readings and ${building.pollsPerMinute} polls a minute; load generator on the same machine`,
    ...Object.entries(engines).map(([engine, each]) => engineTable(engine as Engine, each)),
  ]
  if (ingest) {
    const [one, three] = [1, 3].map((count) => meanOf(ingest.rounds, count))
    parts.push(
      `\ningest through Mosquitto into PostgreSQL: ${whole(one ?? 0)} readings/s with one process, ${whole(three ?? 0)} with three: ratio ${ingest.ratio.toFixed(2)} on ${machine.cores} cores; a message costs ${ingest.costRatio.toFixed(2)} times the processor time`,
    )
  }
  if (flat) {
    const side = ({ buildings, cpuUs, p50Ms, p99Ms }: typeof flat.few) =>
      `${whole(buildings)} buildings ${whole(cpuUs)} µs, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(1)} ms`
    parts.push(
      `\na request on ${ENGINE_NAMES[flat.engine]}: ${side(flat.few)}; ${side(flat.many)}: ratio ${flat.cpuRatio.toFixed(2)} in processor time, ${flat.p50Ratio.toFixed(2)} in p50`,
    )
  }
  return [...parts, ...missing.map((what) => `\nnot measured: ${what}`)].join('\n')
}

const meanOf = (rounds: { processes: number; readingsPerS: number }[], count: number): number => {
  const some = rounds.filter(({ processes }) => processes === count)
  return some.reduce((sum, { readingsPerS }) => sum + readingsPerS, 0) / some.length
}

function engineTable(engine: Engine, { steps, costs, planUs, size }: EngineResult): string {
  const head = ['buildings', 'readings/s', 'p50', 'p99 ms', 'polls/s', 'p50', 'p99 ms', 'cores', 'database', 'MB', '']
  const best = carried(steps)
  const verdict = best
    ? `carries ${whole(best.buildings)} buildings: ${whole(best.readingsPerS)} readings/s and ${whole(best.pollsPerS)} polls/s with ${whole(best.residentMb)} MB`
    : 'is saturated by the least load tried'
  return [
    `\n${ENGINE_NAMES[engine]}, one process: ${verdict}`,
    columns([head, ...steps.map(stepRow)]),
    `  processor time, µs (service${engine === 'sqlite' ? '' : ' + database'})`,
    columns(Object.entries(costs).map(([name, cost]) => [COST_NAMES[name as keyof Costs], costText(engine, cost)])),
    `  and ${whole(planUs)} for the plan a room makes every half hour`,
    `  a million readings: ${size.readingsMb.toFixed(0)} MB, and ${size.messagesMb.toFixed(0)} MB for the record of their messages`,
  ].join('\n')
}

const stepRow = (step: Step): string[] => [
  whole(step.buildings),
  whole(step.readingsPerS),
  whole(step.commit.p50Ms),
  whole(step.commit.p99Ms),
  whole(step.pollsPerS),
  step.poll.p50Ms.toFixed(1),
  step.poll.p99Ms.toFixed(1),
  step.serviceCores.toFixed(2),
  step.databaseCores.toFixed(2),
  whole(step.residentMb),
  step.saturated ?? '',
]

const costText = (engine: Engine, { serviceUs, databaseUs }: Cost): string =>
  engine === 'sqlite' ? whole(serviceUs) : `${whole(serviceUs)} + ${whole(databaseUs)}`

function columns(rows: string[][]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length))) ?? []
  return rows
    .map((row) => {
      const cells = row.map((cell, i) => (i === row.length - 1 ? cell : cell.padStart(widths[i] ?? 0)))
      return `  ${cells.join('  ')}`.trimEnd()
    })
    .join('\n')
}

const whole = (value: number): string => Math.round(value).toLocaleString('en')
