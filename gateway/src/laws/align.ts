import type { HeatRequest } from '@hypocaust/domain'

/** What pump and boiler ask of the loops: to run and to rest so long, and so much open floor meanwhile. */
export interface SourceLimits {
  minRunMs: number
  minOffMs: number
  minLoops: number
  minAreaM2: number
}

export interface SourceState {
  on: boolean
  sinceMs: number
}

export interface Candidate {
  /** What the loop would do by itself, and its command now. */
  wants: boolean
  open: boolean
  /** Whether water flows through it. */
  flows: boolean
  /** Too hot a floor, a locked source or a fault: it must not stay open for the source's sake. */
  isForbidden: boolean
  /** Its pipes may freeze: it opens though the source still rests. */
  isCold: boolean
  power: number
  owedMs: number
  areaM2: number
  /** Until its water flows. */
  deadMs: number
  /** How far the room is below the upper edge of its comfort band; null when the service does not say. */
  headroomK: number | null
}

/**
 * Opens and closes loops together, so that the source runs and rests as long as it needs with enough open floor, that of
 * other gateways included.
 */
export function alignedOpenings(
  loops: Candidate[],
  source: SourceState,
  limits: SourceLimits,
  others: HeatRequest,
  nowMs: number,
): boolean[] {
  const ranMs = nowMs - source.sinceMs
  const mustRun = source.on && ranMs < limits.minRunMs
  const mayStart = ({ deadMs, isCold }: Candidate) => isCold || source.on || ranMs >= limits.minOffMs - deadMs
  const opens = loops.map((loop) => loop.wants && (loop.open || mayStart(loop)))
  if (!mustRun && !opens.includes(true) && others.loops === 0) return opens
  const spare = loops
    .map((loop, i) => ({ loop, i }))
    .filter(({ loop, i }) => !opens[i] && !loop.isForbidden && (loop.open || mayStart(loop)))
    .sort((a, b) => byLeastHarm(a.loop, b.loop))
  const openOnes = () => loops.filter((_, i) => opens[i])
  const flowingOnes = () => openOnes().filter(({ flows }) => flows)
  // A loop that opens gives no flow yet: the one before it stays open until it does, or a running source would stop.
  for (const { loop, i } of spare) {
    const isNeeded = source.on && loop.flows && !isEnough(flowingOnes(), limits, others)
    opens[i] = isNeeded || !isEnough(openOnes(), limits, others)
  }
  return opens
}

function isEnough(open: Candidate[], { minLoops, minAreaM2 }: SourceLimits, others: HeatRequest): boolean {
  const areaM2 = open.reduce((sum, each) => sum + each.areaM2, others.area_m2)
  return open.length + others.loops >= Math.max(1, minLoops) && areaM2 >= minAreaM2
}

/** An open loop stays rather than another opens; then the room that can take most warmth; a room that is off comes last. */
function byLeastHarm(a: Candidate, b: Candidate): number {
  return (
    Number(b.flows) - Number(a.flows) ||
    Number(b.open) - Number(a.open) ||
    rank(a) - rank(b) ||
    (b.headroomK ?? 0) - (a.headroomK ?? 0) ||
    b.owedMs - a.owedMs ||
    b.power - a.power
  )
}

function rank({ headroomK, power }: Candidate): number {
  if (headroomK !== null) return headroomK > 0 ? 0 : 2
  return power > 0 ? 1 : 3
}
