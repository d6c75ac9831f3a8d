import { isDay } from '@hypocaust/domain/facts'
import { expect, test } from 'vitest'

const OSLO = { lat: 59.91, lng: 10.75 }
const TROMSO = { lat: 69.65, lng: 18.96 }

/** As almanacs print them, in UTC. */
test.each([
  ['the shortest day', OSLO, '2026-12-21', '08:18', '14:12'],
  ['the longest day', OSLO, '2026-06-21', '01:54', '20:44'],
  ['an equinox on the equator', { lat: 0, lng: 0 }, '2026-03-20', '06:04', '18:11'],
  ['a day in Wellington', { lat: -41.29, lng: 174.78 }, '2026-11-19', '16:46', '07:22'],
])('on %s the sun rises and sets within five minutes of the almanac', (_, place, date, rise, set) => {
  const at = (time: string, minutes: number) => isDay(Date.parse(`${date}T${time}Z`) + minutes * 60_000, place)
  expect([at(rise, -5), at(rise, 5), at(set, -5), at(set, 5)]).toEqual([false, true, true, false])
})

test('in the far north the sun stays up all of a June day, and down all of a December day', () => {
  for (let hour = 0; hour < 24; hour++) {
    expect(isDay(Date.UTC(2026, 5, 21, hour), TROMSO)).toBe(true)
    expect(isDay(Date.UTC(2026, 11, 21, hour), TROMSO)).toBe(false)
  }
})
