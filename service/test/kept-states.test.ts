import type { RoomControl } from '@hypocaust/control'
import { MINUTE_MS, TestClock } from '@hypocaust/testing/clock.ts'
import { beforeEach, expect, test } from 'vitest'
import { KeptStates } from '../src/house/heating/kept-states.ts'

const MOST = 5000
const state = { value: {} as RoomControl, stayed: { names: [] as string[], text: '' } }
const keep = (roomId: string) => kept.keep(roomId, { version: 1, state, settings: [] })
const isKept = (roomId: string) => kept.of({ id: roomId, version: 1 }) !== undefined
const rooms = Array.from({ length: MOST + 1000 }, (_, i) => `room ${i}`)

let clock: TestClock
let kept: KeptStates
beforeEach(() => {
  clock = new TestClock()
  kept = new KeptStates(clock)
})

test('of more rooms than have a place, those that have one keep it from turn to turn', () => {
  for (let turn = 0; turn < 3; turn++) {
    const found = rooms.filter(isKept)
    expect(found).toHaveLength(turn === 0 ? 0 : MOST)
    for (const room of rooms) keep(room)
    clock.advance(MINUTE_MS)
  }
})

test('a room that is stepped no more leaves its place to another', () => {
  for (const room of rooms) keep(room)
  const [gone, ...others] = rooms
  for (let minute = 0; minute < 31; minute++) {
    clock.advance(MINUTE_MS)
    for (const room of others) keep(room)
  }
  expect([isKept(gone as string), rooms.filter(isKept).length]).toEqual([false, MOST])
})
