import type { AppBuilding, AppLoops, GatewayEntry, ReportedSensor } from '@hypocaust/domain'

export type Step = 'gateway' | 'sensors' | 'rooms' | 'loops' | 'test'

export interface SetUp {
  building: AppBuilding
  gateways: GatewayEntry[]
  sensors: ReportedSensor[]
  loops: AppLoops
}

export interface StepStanding {
  step: Step
  isDone: boolean
}

/** Where a step leads: to the one after it, and from the last to the first that is not done. */
export function nextStep(steps: StepStanding[], current: Step): Step | undefined {
  const place = steps.findIndex(({ step }) => step === current)
  const after = steps[place + 1] ?? steps.find(({ step, isDone }) => !isDone && step !== current)
  return after?.step
}

/** The step without which another has nothing to show: rooms are made of sensors, and loops belong to rooms. */
export function neededFirst(steps: StepStanding[], current: Step, { building, sensors }: SetUp): Step | undefined {
  if (building.rooms.length > 0) return undefined
  if (current === 'loops') return 'rooms'
  if (current !== 'rooms' || sensors.length > 0) return undefined
  return steps.find(({ step, isDone }) => !isDone && step !== current)?.step
}
