import { cpus, loadavg, totalmem } from 'node:os'
import type { Costs } from './costs.ts'
import type { FlatResult } from './flat.ts'
import type { IngestResult } from './ingest.ts'
import type { Engine } from './options.ts'
import type { Step } from './rise.ts'
import type { Size } from './size.ts'

export interface EngineResult {
  steps: Step[]
  costs: Costs
  /** Processor time of one plan of a room, made once in half an hour and not part of `costs`. */
  planUs: number
  size: Size
}

export interface LoadResult {
  measuredAt: string
  tookS: number
  quick: boolean
  machine: Machine
  building: { rooms: number; messagesPerMinute: number; pollsPerMinute: number }
  engines: Partial<Record<Engine, EngineResult>>
  ingest: IngestResult | null
  flat: FlatResult | null
  /** What could not be measured, and what is needed for it. */
  missing: string[]
}

export interface Machine {
  processor: string
  cores: number
  memoryGb: number
  node: string
  /** Load average of the minute before: above 0.5, other work was running too. */
  loadBefore: number
}

export const thisMachine = (): Machine => ({
  processor: `${cpus()[0]?.model.trim() || 'unknown'} (${process.arch})`,
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 1e9),
  node: process.version,
  loadBefore: loadavg()[0] ?? 0,
})

export const ENGINE_NAMES: Record<Engine, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
