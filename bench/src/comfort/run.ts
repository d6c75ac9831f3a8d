import type { Plant } from './plant.ts'
import { DAY_S } from './scenarios.ts'
import { type Score, Scorer } from './score.ts'

export const STEP_S = 60

/** All a controller may know. */
export type View = {
  nowS: number
  /** The packet of the last step, if one came. */
  sensorC: number | null
  plant: Pick<Plant, 'weather' | 'setpoint' | 'scheduleInputs'>
}

/** Gets everything once a step; answers with the electrical command, 0 or 1. */
export type Controller = { step(view: View): 0 | 1 }

export type Stretch = { name: string; fromS: number; toS: number }
export const SCORED_WEEK: Stretch = { name: 'scored', fromS: 7 * DAY_S, toS: 14 * DAY_S }

export type Run = { scores: Map<string, Score>; trace: TracePoint[] }
export type TracePoint = { nowS: number; scoredC: number; open: number; targetC: number }

export type RunOptions = {
  traceEveryS?: number
  /** Puts the plant into another state at a moment; answers with what it then holds, Wh/m². */
  reset?: { atS: number; plant: () => number }
}

export function run(plant: Plant, controller: Controller, stretches: Stretch[], options: RunOptions = {}): Run {
  const { traceEveryS = 0, reset } = options
  const endS = Math.max(...stretches.map((stretch) => stretch.toS))
  const scorers = stretches.map((stretch) => ({ stretch, scorer: new Scorer() }))
  const trace: TracePoint[] = []
  let sensorC: number | null = null
  let wasOpen = 0
  let storedWh = Number.NaN
  for (let nowS = 0; nowS < endS; nowS += STEP_S) {
    if (nowS === reset?.atS) storedWh = reset.plant()
    const open = controller.step({ nowS, sensorC, plant })
    const step = plant.advance({ dtS: STEP_S, open })
    const setpoint = plant.setpoint(nowS)
    const storedBeforeWh = Number.isNaN(storedWh) ? step.storedWhM2 : storedWh
    for (const { stretch, scorer } of scorers) {
      if (nowS < stretch.fromS || nowS >= stretch.toS) continue
      scorer.add(step, setpoint, STEP_S, open === 1 && wasOpen === 0, storedBeforeWh)
    }
    if (traceEveryS > 0 && nowS % traceEveryS === 0)
      trace.push({ nowS, scoredC: step.scoredC, open, targetC: setpoint.targetC })
    sensorC = step.sensorC
    storedWh = step.storedWhM2
    wasOpen = open
  }
  return { scores: new Map(scorers.map(({ stretch, scorer }) => [stretch.name, scorer.score()])), trace }
}
