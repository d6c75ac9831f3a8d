import { programmeOfNight } from '@hypocaust/domain'
import { sunPosition } from '@hypocaust/domain/facts'
import { expect, test } from 'vitest'
import { aimAt, stepRoom } from '../src/index.ts'
import { facadeSun } from '../src/model/sun.ts'
import { input, settings } from './room.ts'

const berlin = (text: string) => Temporal.ZonedDateTime.from(`${text}[Europe/Berlin]`).epochMilliseconds
const nightly = settings({
  programme: programmeOfNight({ from: '22:30', to: '06:00', setback: 2, weekend: { from: '23:30', to: '08:00' } }),
})
const reasonAt = (text: string, wish = nightly) => aimAt(wish, berlin(text)).reason

test('a night across midnight begins and ends on the minute', () => {
  expect(reasonAt('2026-01-13T22:29')).toBe('target')
  expect(reasonAt('2026-01-13T22:30')).toBe('programme')
  expect(reasonAt('2026-01-14T00:00')).toBe('programme')
  expect(reasonAt('2026-01-14T05:59')).toBe('programme')
  expect(reasonAt('2026-01-14T06:00')).toBe('target')
})

test('a night within one day is one, too, and one of no length is none', () => {
  const noon = settings({ programme: programmeOfNight({ from: '12:00', to: '14:00', setback: 2 }) })
  expect(reasonAt('2026-01-14T11:59', noon)).toBe('target')
  expect(reasonAt('2026-01-14T13:00', noon)).toBe('programme')
  expect(reasonAt('2026-01-14T14:00', noon)).toBe('target')
  expect(
    reasonAt('2026-01-14T12:00', settings({ programme: programmeOfNight({ from: '12:00', to: '12:00', setback: 2 }) })),
  ).toBe('target')
})

test('Friday evening is a weekday’s, Saturday morning the weekend’s, Monday morning a weekday’s', () => {
  expect(reasonAt('2026-01-16T22:45')).toBe('programme')
  expect(reasonAt('2026-01-17T07:30')).toBe('programme')
  expect(reasonAt('2026-01-17T22:45')).toBe('target')
  expect(reasonAt('2026-01-18T23:00')).toBe('target')
  expect(reasonAt('2026-01-19T05:30')).toBe('programme')
  expect(reasonAt('2026-01-19T06:30')).toBe('target')
})

test('both clock changes keep the wall’s time', () => {
  expect(reasonAt('2026-03-29T07:59')).toBe('programme')
  expect(reasonAt('2026-03-29T08:00')).toBe('target')
  expect(reasonAt('2026-03-30T06:00')).toBe('target')
  expect(reasonAt('2026-10-25T07:59')).toBe('programme')
  expect(reasonAt('2026-10-25T08:00')).toBe('target')
  expect(reasonAt('2026-10-26T05:59')).toBe('programme')
  const twice = settings({ programme: programmeOfNight({ from: '02:00', to: '02:30', setback: 2 }) })
  const firstPass = Temporal.ZonedDateTime.from('2026-10-25T02:15+02:00[Europe/Berlin]').epochMilliseconds
  expect(aimAt(twice, firstPass).reason).toBe('programme')
  expect(aimAt(twice, firstPass + 1_800_000).reason).toBe('target')
  expect(aimAt(twice, firstPass + 3_600_000).reason, 'a night happens once').toBe('target')
})

test('the offset is looked up anew on either side of a change, in any order', () => {
  const summer = berlin('2026-07-01T06:30')
  const winter = berlin('2026-01-07T06:30')
  for (const atMs of [summer, winter, summer, winter]) expect(aimAt(nightly, atMs).reason).toBe('target')
  for (const atMs of [winter - 3_600_000, summer - 3_600_000]) expect(aimAt(nightly, atMs).reason).toBe('programme')
})

test('29 February is a day like any other', () => {
  expect(reasonAt('2028-02-29T05:59')).toBe('programme')
  expect(reasonAt('2028-02-29T06:00')).toBe('target')
  const noon = sunPosition(Date.UTC(2028, 1, 29, 12), { lat: 51, lng: 0 })
  expect(noon.elevation).toBeGreaterThan(0.5)
})

test('an absence ends at its moment', () => {
  const untilMs = berlin('2026-02-01T12:00')
  const away = settings({ away: { fromMs: 0, untilMs, setAtMs: 0, targetC: 15 } })
  expect(aimAt(away, untilMs - 1).targetC).toBe(15)
  expect(aimAt(away, untilMs).targetC).toBe(21)
})

test('the sun stands south at noon and on the right wall before and after, at any longitude', () => {
  for (const lng of [-180, -120, 0, 13.4, 180]) {
    const noonMs = Date.UTC(2026, 2, 20, 12) - (lng / 15) * 3_600_000
    const at = { lat: 50, lng }
    expect(sunPosition(noonMs, at).elevation).toBeCloseTo((40 * Math.PI) / 180, 1)
    expect(sunPosition(noonMs, at).azimuth).toBeCloseTo(Math.PI, 1)
    const morning = facadeSun(noonMs - 4 * 3_600_000, at, 300)
    const evening = facadeSun(noonMs + 4 * 3_600_000, at, 300)
    expect(morning.east).toBeGreaterThan(2 * morning.west)
    expect(evening.west).toBeGreaterThan(2 * evening.east)
  }
  const [left, right] = [-180, 180].map((lng) => sunPosition(Date.UTC(2026, 5, 1, 3), { lat: 20, lng }))
  expect(left?.elevation).toBeCloseTo(right?.elevation ?? 9, 6)
})

test('a building at 180° is heated like any other', () => {
  const { power } = stepRoom(
    null,
    input({
      location: { lat: -17, lng: 180 },
      settings: settings({ timeZone: 'Pacific/Fiji' }),
      air: { kind: 'fresh', airC: 15, ageS: 0 },
    }),
  )
  expect(power).toBeGreaterThan(0.5)
})
