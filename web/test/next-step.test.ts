import { describe, expect, test } from 'vitest'
import { neededFirst, nextStep, type SetUp, type Step, type StepStanding } from '../src/setup/next-step.ts'
import { missingInWords } from '../src/setup/step-words.ts'
import { translatorIn } from './translate.ts'

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

describe('a house in which something comes first', () => {
  const t = translatorIn('en')
  const setUp = (house: { rooms?: number; sensors?: number; loops?: number }) =>
    ({
      building: { rooms: Array.from({ length: house.rooms ?? 0 }) },
      gateways: [],
      sensors: Array.from({ length: house.sensors ?? 0 }, () => ({ rooms: [], reading: null })),
      loops: { loops: Array.from({ length: house.loops ?? 0 }, () => ({ room_id: null, tested: null })), run: null },
    }) as unknown as SetUp

  test('leads from rooms without sensors to what makes a sensor report', () => {
    const nothing = setUp({})
    expect(neededFirst(without(...STEPS), 'rooms', nothing)).toBe('gateway')
    expect(neededFirst(without('sensors', 'rooms'), 'rooms', nothing)).toBe('sensors')
    expect(missingInWords('rooms', nothing, t)).toBe('No sensor has reported yet. Every room needs one.')
  })

  test('leads from loops without rooms to the rooms', () => {
    const heard = setUp({ sensors: 2, loops: 4 })
    expect(neededFirst(without('rooms', 'loops'), 'loops', heard)).toBe('rooms')
    expect(missingInWords('loops', heard, t)).toBe('No rooms yet. Loops belong to rooms.')
  })

  test('can be entered anywhere else, and never counts nothing', () => {
    const heard = setUp({ sensors: 2, loops: 4 })
    for (const step of ['gateway', 'sensors', 'rooms', 'test'] as const)
      expect(neededFirst(without(...STEPS), step, heard)).toBeUndefined()
    expect(neededFirst(without(...STEPS), 'rooms', setUp({ rooms: 1 }))).toBeUndefined()
    expect(missingInWords('rooms', heard, t)).toBe('Assign the sensors to rooms (0 of 2)')
    expect(missingInWords('test', heard, t)).toBe('Give every room at least one loop')
  })
})
