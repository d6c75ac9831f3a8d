import type { AppAlert, AppBuilding, AppRoom, OverviewEntry } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { inNeedInWords } from '../src/buildings/in-need.ts'
import { formatsFor } from '../src/i18n/formats.ts'
import { houseInWords, warnings } from '../src/room/words.ts'
import { translatorIn } from './translate.ts'

const MORNING = '2026-01-14T04:30:00Z'
const now = Date.parse('2026-01-14T02:10:00Z')

test('a house whose rooms hold the warmth of the night is not warming up', () => {
  expect(said(room({ current_temperature: 20.1, aim: 20 }))).toBe('Everything is fine. 1 room is being heated.')
})

test('a room below what is aimed for is warming up', () => {
  expect(said(room({ current_temperature: 19.3, aim: 20 }))).toBe('Everything is fine. Bathroom is warming up.')
  expect(said(room({ current_temperature: 21.2, aim: null }))).toBe('Everything is fine. Bathroom is warming up.')
})

test('a room that heats ahead says for when, by the clock of the building', () => {
  const early = room({ current_temperature: 20.6, aim: 20, warming_for: MORNING })
  expect(said(early)).toBe('Everything is fine. Bathroom is warming up to be ready at 05:30.')
  expect(said(early, { ...early, name: 'Kitchen' })).toBe(
    'Everything is fine. Bathroom and Kitchen are warming up to be ready at 05:30.',
  )
  expect(said(early, room({ name: 'Kitchen', current_temperature: 19, aim: 20 }))).toBe(
    'Everything is fine. Bathroom and Kitchen are warming up.',
  )
})

test('no room that warms up or is heated is left out', () => {
  const early = room({ current_temperature: 20.6, warming_for: MORNING })
  expect(said(early, early, early)).toBe('Everything is fine. 3 rooms are warming up.')
  expect(said(early, room({ current_temperature: 20.1 }))).toBe(
    'Everything is fine. Bathroom is warming up to be ready at 05:30. 1 more room is being heated.',
  )
})

test('the first line names no other time than the tile does', () => {
  const heated = 'Everything is fine. 1 room is being heated.'
  const schedule = { setpoint: 20, reason: 'programme' as const, until: MORNING, next: { at: MORNING, setpoint: 21 } }
  expect(said(room({ current_temperature: 20.6, warming_for: '2026-01-14T19:00:00Z', schedule }))).toBe(heated)
  // Everybody has left: that nobody has been reported for a day is no plan.
  const vacant = { setpoint: 20, reason: 'presence' as const, until: null, next: null }
  expect(said(room({ current_temperature: 20.6, warming_for: '2026-01-15T01:16:00Z', schedule: vacant }))).toBe(heated)
  // The law counts in whole minutes.
  const left = { ...schedule, next: { at: '2026-01-14T04:30:20Z', setpoint: 21 } }
  expect(said(room({ current_temperature: 20.6, warming_for: '2026-01-14T04:31:00Z', schedule: left }))).toBe(
    'Everything is fine. Bathroom is warming up to be ready at 05:30.',
  )
})

test('a house that is off says so, and what frost protection does; it is not said to be fine', () => {
  const off = room({ power: 0, manual_power: { enabled: true, power: 0 } })
  const with_ = (frost_protection: boolean, ...rooms: AppRoom[]) =>
    inWords([], rooms, { available: true, frost_protection }).text
  expect(with_(true, off, off)).toBe('All rooms are off. Below 5.0° frost protection heats a little.')
  expect(with_(false, off)).toBe('All rooms are off. Frost protection is off, too: pipes can freeze.')
  expect(with_(true, { ...off, power: 1 })).toBe('All rooms are off. Frost protection heats 1 room.')
  expect(with_(true, off, room({ power: 0 }))).toMatch(/^Everything is fine\./)
})

test.each([
  ['18:00', '2026-01-14T17:00:00Z'],
  ['Thu 18:00', '2026-01-15T17:00:00Z'],
  ['22 Jan, 18:00', '2026-01-22T17:00:00Z'],
  ['you are back', null],
])('an absence ends at %s, as the card of the absence and the tiles have it', (words, until) => {
  const away = { from: '2026-01-13T17:00:00Z', until, temperature: 15, room_ids: null }
  expect(inWords([], [room({ power: 0 })], { available: true, away }).text).toBe(
    `Everything is fine. Away until ${words}.`,
  )
})

test('a house of which some rooms are lowered for an absence is not said to be empty', () => {
  const away = { from: '2026-01-13T17:00:00Z', until: MORNING, temperature: 15, room_ids: ['a'] }
  expect(inWords([], [room({ power: 0 })], { available: true, away }).text).toMatch(/No room is being heated/)
})

test('a search for loops is said before anything else: the rooms are not heated as usual', () => {
  const loop_run = { kind: 'loop-search', done: 2, all: 7, started_at: MORNING, ends_by: MORNING } as const
  expect(inWords([], [room({ loops_held: 'loop-search' })], { available: true, loop_run }).text).toBe(
    'The search for loops is running: 2 of 7 done. Rooms are not heated as usual.',
  )
})

test('the heat-up of a screed is what the house does, and not a room that is heated as usual', () => {
  const loop_run = { kind: 'screed-heating', done: 0, all: 2, started_at: MORNING, ends_by: MORNING } as const
  expect(inWords([], [room({ loops_held: 'screed-heating' })], { available: true, loop_run }).text).toBe(
    'Everything is fine. The new screed is being heated up.',
  )
})

test('a room that is cooled is not said to be heated', () => {
  const cooled = room({ cools: true, power: 0.4, current_temperature: 25 })
  expect(said(cooled)).toBe('Everything is fine. 1 room is being cooled.')
  expect(said(cooled, room({ current_temperature: 20.1, aim: 20 }))).toBe(
    'Everything is fine. 1 room is being heated. 1 room is being cooled.',
  )
  expect(said({ ...cooled, power: 0 })).toBe('Everything is fine. No room is being cooled at the moment.')
})

test('an absence that has not begun is not said to be one', () => {
  const away = { from: MORNING, until: '2026-01-20T17:00:00Z', temperature: 15, room_ids: null }
  expect(inWords([], [room({ power: 0 })], { available: true, away }).text).toMatch(/No room is being heated/)
})

test('a moment that has passed is no promise any more, and a floor at rest warms for nothing', () => {
  const early = room({ current_temperature: 21.8, aim: 22, warming_for: '2026-01-14T02:00:00Z' })
  expect(said(early)).toBe('Everything is fine. 1 room is being heated.')
  expect(said(room({ power: 0, warming_for: MORNING }))).toBe(
    'Everything is fine. No room is being heated at the moment.',
  )
})

test('buildings are all fine only where each of them is', () => {
  const t = translatorIn('en')
  const said = (inNeed: number, ...needs: OverviewEntry['need'][]) =>
    inNeedInWords(
      inNeed,
      needs.map((need) => ({ need })),
      t,
    )
  expect(said(0, 'fine', 'fine')).toBe('All 2 buildings are fine.')
  expect(said(0, 'fine', 'unfinished')).toBe('No building needs attention.')
  expect(said(1, 'fine', 'attention')).toBe('1 of 2 buildings needs attention.')
})

test('a low battery is a reminder and not an alert; a snoozed alert is neither', () => {
  const low = alert('battery_low')
  const silent = alert('sensor_silent')
  expect(saidWith([low], room({ power: 0 }))).toEqual({
    text: 'Everything is fine. No room is being heated at the moment. 1 reminder.',
    isWell: true,
  })
  expect(saidWith([low, silent], room({ power: 0 }))).toEqual({
    text: '1 alert needs attention. No room is being heated at the moment.',
    isWell: false,
  })
  expect(saidWith([{ ...silent, snoozed_until: MORNING }], room({ power: 0 }))).toEqual({
    text: 'Everything is fine. No room is being heated at the moment.',
    isWell: true,
  })
  expect(saidWith([{ ...silent, building_id: 'another' }], room({ power: 0 })).isWell).toBe(true)
})

test('a house whose rooms have no loop yet is not said to be fine', () => {
  expect(said(room({ valves: [] }))).toBe('No room can be heated yet.')
  expect(said(room({ valves: [], power: 0 }), room({ power: 0 }))).toBe(
    'Everything is fine. No room is being heated at the moment.',
  )
})

test('a gateway without reports is said to heat on its own only where it can', () => {
  const silent = { available: false, last_seen: '2026-01-14T01:30:00Z' } as const
  expect(inWords([], [room({})], silent).text).toBe('No reports since 02:30. The gateway continues heating on its own.')
  expect(inWords([], [room({ valves: [] })], silent).text).toBe('No reports since 02:30.')
})

test('a late reading is red only once it is an alert as well', () => {
  const t = translatorIn('en')
  const aged = (minutes: number) => {
    const timestamp = new Date(now - minutes * 60_000).toISOString()
    const sensor = { id: 'a', temperature: 21, humidity: 40, batt: 80, rssi: -70, timestamp }
    return warnings(room({ sensor }), now, t, formatsFor('en', t))
  }
  expect(aged(9)).toEqual([])
  expect(aged(42)).toMatchObject([{ isUrgent: false, icon: 'clock' }])
  expect(aged(61)).toMatchObject([{ isUrgent: true, icon: 'warning' }])
})

const alert = (kind: AppAlert['kind']): AppAlert => ({ kind, building_id: 'house', snoozed_until: null }) as AppAlert

function said(...rooms: AppRoom[]): string {
  return saidWith([], ...rooms).text
}

const saidWith = (alerts: AppAlert[], ...rooms: AppRoom[]) => inWords(alerts, rooms, { available: true })

function inWords(alerts: AppAlert[], rooms: AppRoom[], seen: Partial<AppBuilding>): { text: string; isWell: boolean } {
  const t = translatorIn('en')
  const building = {
    id: 'house',
    timezone: 'Europe/Oslo',
    away: null,
    loop_run: null,
    frost_protection: true,
    ...seen,
    rooms,
  } as unknown as AppBuilding
  return houseInWords(building, alerts, now, { t, format: formatsFor('en', t, 'C', ['en-GB']) })
}

function room({ aim = 20, ...changes }: Partial<AppRoom> & { aim?: number | null }): AppRoom {
  const plain = {
    valves: [{ gateway_id: 'cellar', channel: 1 }],
    sensor: { temperature: 21.9 },
    other_readings: [],
    name: 'Bathroom',
    power: 0.4,
    hvac_mode: 'heat',
    manual_power: { enabled: false, power: 0 },
    target_temperature: 22,
    current_temperature: 21.9,
    override: null,
    schedule: {
      setpoint: aim ?? 22,
      reason: aim === null ? 'target' : 'programme',
      until: MORNING,
      next: { at: MORNING, setpoint: 22 },
    },
    warming_for: null,
  }
  return { ...plain, ...changes } as AppRoom
}
