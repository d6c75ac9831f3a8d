/** Water for so many hours, as warm as this. */
export interface ScreedStep {
  hours: number
  supply_c: number
}

/** Programmes that are stored; `own` has its steps from a file. */
export const SCREED_PROGRAMMES = ['functional', 'covering', 'own'] as const
export type ScreedProgramme = (typeof SCREED_PROGRAMMES)[number]

/** What the water may be in any programme, its steps, and their time. */
export const SCREED_LIMIT = { leastC: 15, mostC: 55, steps: 60, hours: 60 * 24 }
/** A difference between the water that is asked for and the measured one counts as a deviation from here on. */
export const SCREED_TOLERANCE_K = 2
/** A deviation that lasts for longer is one of the programme, not of the moment. */
export const SCREED_LONGEST_MIN = 30

const START_C = 25
const RISE_K = 10
const HOLD_H = 168

/** EN 1264-4: three days at 25 °C, then four at the highest temperature of the design. */
function functionalSteps(maxC: number): ScreedStep[] {
  return [
    { hours: 72, supply_c: Math.min(START_C, maxC) },
    { hours: 96, supply_c: maxC },
  ]
}

/** Up from 25 °C by 10 K a day, a week at the highest temperature, and down again as it rose. */
function coveringSteps(maxC: number): ScreedStep[] {
  const rises: ScreedStep[] = []
  for (let c = START_C; c < maxC; c += RISE_K) rises.push({ hours: 24, supply_c: c })
  return [...rises, { hours: HOLD_H, supply_c: maxC }, ...rises.toReversed()]
}

export const screedSteps = (programme: Exclude<ScreedProgramme, 'own'>, maxC: number): ScreedStep[] =>
  programme === 'functional' ? functionalSteps(maxC) : coveringSteps(maxC)

export const hoursOf = (steps: readonly ScreedStep[]): number => steps.reduce((sum, { hours }) => sum + hours, 0)

/** What keeps a programme from going on, or is not as it asks. */
export const SCREED_TROUBLES = [
  'too_cold',
  'too_warm',
  'too_hot',
  'not_measured',
  'gateway_silent',
  'hot_water',
  'flow_limit',
] as const
export type ScreedTrouble = (typeof SCREED_TROUBLES)[number]
