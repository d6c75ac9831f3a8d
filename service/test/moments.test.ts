import { ENGINES } from '@hypocaust/testing/database.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { momentOf, yearAfter } from '../src/house/moments.ts'

describe.each(ENGINES)('times in requests on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())

  const put = (until: string) =>
    world.call('PUT', `${world.bathroomPath}/override`, {
      key: world.holder.writeKey,
      body: { target_temperature: 22, until },
    })

  test.each([
    '2026-01-10T20:00:00Z',
    '2026-01-10T20:00:00+00:00',
    '2026-01-10T21:00:00.0+01:00',
    '2026-01-10T14:30:00-05:30',
  ])('%s is an instant, and answered in UTC', async (until) => {
    expect((await put(until)).json).toEqual({ target_temperature: 22, until: '2026-01-10T20:00:00.000Z' })
  })

  test.each([
    '2026-01-10T20:00:00',
    '2026-01-10T20:00:00+25:00',
    '2026-02-30T20:00:00+01:00',
    '2026-01-10',
    '1768075200',
  ])('%s is none', async (until) => {
    const { status, json } = await put(until)
    expect([status, json.error.code]).toEqual([400, 'invalid_value'])
    expect(json.error.message).toContain('until must be a time as')
  })

  test('a year is a year of the calendar', async () => {
    const history = (from: string, to: string) =>
      world.get(`${world.bathroomPath}/history?${new URLSearchParams({ from, to })}`)
    expect((await history('2025-01-01T00:00:00+01:00', '2026-01-01T00:00:00+01:00')).status).toBe(200)
    expect((await history('2025-01-01T00:00:00Z', '2026-01-02T00:00:00Z')).status).toBe(400)
    expect((await history('2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z')).status).toBe(200)
    expect((await put('2027-01-11T20:00:00Z')).status).toBe(400)
  })
})

test('an instant is the same whatever offset it is written with', () => {
  const offset = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 })
  const instant = fc.date({ min: new Date('1970-01-02'), max: new Date('2200-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(instant, offset, (date, minutes) => {
      const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1)
      const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
      const sign = minutes < 0 ? '-' : '+'
      const text = `${local}${sign}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`
      expect(momentOf('at', text)).toBe(date.getTime())
      expect(yearAfter(date.getTime())).toBeGreaterThan(date.getTime() + 364 * 86_400_000)
    }),
    { numRuns: runs(400) },
  )
})
