export type Step = 'gateway' | 'sensors' | 'rooms' | 'loops' | 'test'

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
