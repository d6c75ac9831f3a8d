import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Browser, openSite, signedIn, WEBSITE } from '@hypocaust/testing/browser.ts'
import { expect, test } from 'vitest'
import { findTowns, nearestTown, parseTowns } from '../src/house/buildings/towns.ts'

const text = readFileSync(new URL('../../web/public/towns.txt', import.meta.url), 'utf8')
const towns = parseTowns(text)
const first = (typed: string) => findTowns(towns, typed)[0]

test('a town is found by the beginning of its name, without marks and in any case', () => {
  expect(first('oslo')).toMatchObject({ name: 'Oslo', country: 'NO', lat: 59.91, lng: 10.75, timezone: 'Europe/Oslo' })
  expect(first('Zurich')?.country).toBe('CH')
  expect(first('tromso')?.country).toBe('NO')
  expect(findTowns(towns, 'Frei').map(({ name }) => name)).toContain('Freising')
  expect(findTowns(towns, 'o')).toEqual([])
  expect(findTowns(towns, 'no such town')).toEqual([])
})

test('a place has the name of the nearest town, unless none is near', () => {
  expect(nearestTown(towns, { lat: 59.91, lng: 10.75 })?.name).toBe('Oslo')
  for (const town of towns.filter((_, i) => i % 500 === 0)) {
    expect(nearestTown(towns, town)).toMatchObject({ lat: town.lat, lng: town.lng })
  }
  expect(nearestTown(towns, { lat: 0, lng: -140 })).toBeUndefined()
  const suva = { name: 'Suva', country: 'FJ', lat: -18.14, lng: 179.9, timezone: 'Pacific/Fiji' }
  expect(nearestTown([suva], { lat: -18.14, lng: -179.95 })).toBe(suva)
})

test('a town has its own time zone, also where a country has several', () => {
  expect(first('Chicago')?.timezone).toBe('America/Chicago')
  expect(first('Las Palmas')?.timezone).toBe('Atlantic/Canary')
  expect(first('Perth')?.timezone).toBe('Australia/Perth')
  const zones = new Set(towns.map(({ timezone }) => timezone))
  for (const timeZone of zones) expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow()
})

test('every line of the list is a town on earth, and the list says where it is from', () => {
  expect(text.split('\n')[0]).toContain('GeoNames')
  expect(towns.length).toBeGreaterThan(5000)
  for (const { name, country, lat, lng } of towns) {
    expect([name, /^[A-Z]{2}$/.test(country), Math.abs(lat) <= 90, Math.abs(lng) <= 180]).toEqual([
      name,
      true,
      true,
      true,
    ])
  }
})

test('a page finds towns by name and the one nearest to a place; a visitor finds none', async () => {
  const folder = fileURLToPath(new URL('../../web/public', import.meta.url))
  const world = await openSite('sqlite', { website: { ...WEBSITE, folder } })
  const ada = await signedIn(world)
  const names = async (query: string) =>
    (await ada.call('GET', `/app/towns?${query}`)).json.map(({ name }: { name: string }) => name)
  expect(await names('name=osl')).toContain('Oslo')
  expect(await names('lat=59.9&lng=10.7')).toEqual(['Oslo'])
  expect(await names('lat=0&lng=-140')).toEqual([])
  expect((await ada.call('GET', '/app/towns?name=o')).status).toBe(400)
  expect((await new Browser(world).call('GET', '/app/towns?name=osl')).status).toBe(401)
  await world.close()
})
