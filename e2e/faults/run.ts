import { type Random, seededRandom } from '@hypocaust/simulator'
import { FAULTS, type FaultKind } from './kinds.ts'
import { type Engine, Stage } from './stage.ts'

interface FaultReport {
  engine: Engine
  seed: number
  faults: number
  byKind: Map<string, number>
  skipped: string[]
  patches: number
  readings: number
  lost: number
  duplicated: number
  longestMs: { owners: number; ownersDuring: string; gateways: number; gatewaysDuring: string }
  complaints: string[]
}

interface FaultChoice {
  engine: Engine
  seed: number
  faults: number
  kinds: string[]
  /** Ends early, and reports what it has seen until then. */
  minutes: number
  tell?(line: string): void
}

const AGENT_EVERY = 25

/** Strikes one fault after the other, and counts what was acknowledged and is not there, or is there twice. */
export async function runFaults({
  engine,
  seed,
  faults,
  kinds,
  minutes,
  tell = () => {},
}: FaultChoice): Promise<FaultReport> {
  const random = seededRandom(seed)
  const stage = await Stage.build(engine)
  const byKind = new Map<string, number>()
  const broken: string[] = []
  /** What throws ends the run, and is reported with all that was seen until then. */
  const attempt = async (what: string, work: () => Promise<void>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      broken.push(`${what}: ${error instanceof Error ? error.message : error}`)
      return false
    }
  }
  try {
    await stage.start()
    const chosen = FAULTS.filter((fault) => fault.engines.includes(engine) && kinds.includes(fault.name))
    const possible = chosen.filter((fault) => !fault.missing?.(stage))
    const skipped = chosen.flatMap((fault) => {
      const why = fault.missing?.(stage)
      return why ? [`${fault.name}: ${why}`] : []
    })
    const endMs = performance.now() + minutes * 60_000
    let struck = 0
    for (let i = 0; i < faults && performance.now() < endMs; i++) {
      // Every kind once before any comes again.
      const fault = possible[i] ?? drawn(possible, random)
      stage.cause = fault.name
      const startMs = performance.now()
      const isWell = await attempt(fault.name, async () => {
        await fault.strike(stage, random)
        await stage.well()
        // It has its own pace: what a broker has lost is sent again after half a minute.
        if ((i + 1) % AGENT_EVERY === 0) await stage.agentWell()
      })
      if (!isWell) break
      struck++
      byKind.set(fault.name, (byKind.get(fault.name) ?? 0) + 1)
      tell(`${engine} ${i + 1}/${faults} ${fault.name}: well after ${Math.round(performance.now() - startMs)} ms`)
    }
    await attempt('the end of the run', () => stage.finish())
    const verdict = await judged(stage)
    return {
      engine,
      seed,
      faults: struck,
      byKind,
      skipped,
      ...verdict,
      complaints: [...broken, ...verdict.complaints],
    }
  } finally {
    await stage.remove()
  }
}

/** A kind that takes long is drawn more rarely. */
function drawn(kinds: FaultKind[], random: Random): FaultKind {
  let rest = random.uniform() * kinds.reduce((sum, { weight = 1 }) => sum + weight, 0)
  const found = kinds.find(({ weight = 1 }) => {
    rest -= weight
    return rest < 0
  })
  return found ?? (kinds[0] as FaultKind)
}

async function judged(stage: Stage) {
  const { owners, senders, parts } = stage
  const counts = { patches: 0, readings: 0, lost: 0, duplicated: 0 }
  const complaints = owners.flatMap((owner) => owner.complaints)
  for (const owner of owners) {
    counts.patches += owner.acknowledged
    counts.lost += owner.lost
  }
  const numbers = [...senders.map(({ sent }) => Array.from({ length: sent }, (_, n) => n)), [...parts.agent.kept]]
  for (const [house, acknowledged] of numbers.entries()) {
    const stored = await stage.stored(house)
    counts.readings += acknowledged.length
    const lost = acknowledged.filter((n) => !stored.has(n))
    const twice = [...stored].filter(([, count]) => count > 1)
    counts.lost += lost.length
    counts.duplicated += twice.length
    if (lost.length > 0) complaints.push(`house ${house}: lost ${lost.slice(0, 10).join(', ')}`)
    if (twice.length > 0) complaints.push(`house ${house}: twice ${twice.slice(0, 10).join('; ')}`)
  }
  const longest = (all: { gaps: { longestMs: number; during: string } }[]) =>
    all.map(({ gaps }) => gaps).reduce((a, b) => (b.longestMs > a.longestMs ? b : a))
  const [ofOwners, ofGateways] = [longest(owners), longest(senders)]
  return {
    ...counts,
    longestMs: {
      owners: Math.round(ofOwners.longestMs),
      ownersDuring: ofOwners.during,
      gateways: Math.round(ofGateways.longestMs),
      gatewaysDuring: ofGateways.during,
    },
    complaints,
  }
}

export function printed(report: FaultReport): string {
  const { engine, seed, faults, byKind, skipped, patches, readings, lost, duplicated, longestMs, complaints } = report
  const kinds = [...byKind].map(([name, count]) => `  ${String(count).padStart(4)}  ${name}`)
  return [
    `${engine}, seed ${seed}`,
    `faults injected          ${faults}`,
    ...kinds,
    ...skipped.map((line) => `  SKIPPED  ${line}`),
    `operations acknowledged  ${patches + readings} (${patches} PATCH, ${readings} readings)`,
    `lost                     ${lost}`,
    `duplicated               ${duplicated}`,
    `longest unavailability   owners ${longestMs.owners} ms (${longestMs.ownersDuring}), gateways ${longestMs.gateways} ms (${longestMs.gatewaysDuring})`,
    ...complaints.map((line) => `COMPLAINT ${line}`),
  ].join('\n')
}
