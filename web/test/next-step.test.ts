import { expect, test } from 'vitest'
import { nextStep, type Step, type StepStanding } from '../src/setup/next-step.ts'

const STEPS: Step[] = ['gateway', 'sensors', 'rooms', 'loops', 'test']
const without = (...missing: Step[]): StepStanding[] => STEPS.map((step) => ({ step, isDone: !missing.includes(step) }))

test('a step of the set-up leads to the one after it', () => {
  expect(nextStep(without('sensors', 'loops'), 'gateway')).toBe('sensors')
  expect(nextStep(without(), 'loops')).toBe('test')
})

test('the last step leads to what was left out, and to no other step once nothing is missing', () => {
  expect(nextStep(without('rooms', 'loops', 'test'), 'test')).toBe('rooms')
  expect(nextStep(without('test'), 'test')).toBeUndefined()
  expect(nextStep(without(), 'test')).toBeUndefined()
})
