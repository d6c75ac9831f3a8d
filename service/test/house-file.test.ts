import { roomSettings } from '@hypocaust/domain'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseHouseFile } from '../src/house/buildings/house-file.ts'
import { readHouseFile } from '../src/house/buildings/read-house-file.ts'

const HOUSE = `name: Lakeside 12
location: { lat: 59.91, lng: 10.75 }
timezone: Europe/Oslo
gateways:
  - name: cellar
rooms:
  - name: Bathroom
    floor_type: screed
    sensor: "a4:c1:38:5e:01:02"
    valves: [{ gateway: cellar, channel: 1 }]
    area_m2: 7
    target_temperature: 22
    preset_mode: low
    comfort_band: 0.5
    night_mode: { from: "22:30", to: "05:30", setback: 2, weekend: { from: "23:30", to: "07:00" } }
    max_floor_temperature: 33
  - name: Living room
    floor_type: timber
    sensor: "a4:c1:38:5e:01:03"
    valves:
      - { gateway: cellar, channel: 2 }
      - gateway: cellar
        channel: 3
`

const problemsOf = (text: string) => {
  const parsed = parseHouseFile(text)
  return parsed.ok ? [] : parsed.problems
}

/** The file with one change, its problems as "line field". */
const changed = (from: string, to: string) => {
  expect(HOUSE).toContain(from)
  return problemsOf(HOUSE.replace(from, to)).map(({ line, field }) => `${line} ${field}`)
}

describe('a house file', () => {
  test('of the agreed form is read', () => {
    const parsed = parseHouseFile(HOUSE)
    expect(parsed.ok && parsed.house.rooms.map(({ name, floor_type }) => [name, floor_type])).toEqual([
      ['Bathroom', 'screed'],
      ['Living room', 'timber'],
    ])
  })

  test.each(Object.keys(roomSettings))('may ask for the default of %s', (field) => {
    const named = HOUSE.replace(/^ {4}(?:area_m2|comfort_band|max_floor_temperature): .*\n/gm, '')
    expect(problemsOf(named.replace('    preset_mode: low\n', `    ${field}: null\n`))).toEqual([])
  })

  test.each([
    ['a floor type that does not exist', 'floor_type: timber', 'floor_type: carpet', ['18 rooms.1.floor_type']],
    ['a target out of range', 'target_temperature: 22', 'target_temperature: 36', ['12 rooms.0.target_temperature']],
    ['a target as text', 'target_temperature: 22', 'target_temperature: warm', ['12 rooms.0.target_temperature']],
    ['a field that does not exist', 'area_m2: 7', 'area_ft2: 7', ['11 rooms.0.area_ft2']],
    ['a sensor id that is none', '"a4:c1:38:5e:01:03"', 'kitchen', ['19 rooms.1.sensor']],
    ['a time of day that is none', 'to: "05:30"', 'to: "25:30"', ['15 rooms.0.night_mode.to']],
    [
      'a step before the one before it',
      'night_mode: { from: "22:30", to: "05:30", setback: 2, weekend: { from: "23:30", to: "07:00" } }',
      'programme: { monday: [{ at: "08:00", setback: 0 }, { at: "07:00", setback: 2 }] }',
      ['15 rooms.0.programme.monday.1.at'],
    ],
    [
      'a programme beside a night mode',
      'comfort_band: 0.5',
      'programme: { monday: [{ at: "08:00", setback: 0 }] }',
      ['14 rooms.0.programme'],
    ],
    [
      'a day that does not exist',
      'comfort_band: 0.5',
      'programme: { moonday: [{ at: "08:00", setback: 0 }] }',
      ['14 rooms.0.programme.moonday'],
    ],
    [
      'a programme without steps',
      'comfort_band: 0.5',
      'programme: { monday: [] }',
      ['14 rooms.0.programme', '14 rooms.0.programme'],
    ],
    ['a latitude off the globe', 'lat: 59.91', 'lat: 159.91', ['2 location.lat']],
    ['a name that is empty', 'name: Living room', 'name: ""', ['17 rooms.1.name']],
    ['a time zone that does not exist', 'Europe/Oslo', 'Europe/Atlantis', ['3 timezone']],
    ['a room twice', 'name: Living room', 'name: BATHROOM', ['17 rooms.1.name']],
    ['a gateway twice', '  - name: cellar', '  - name: cellar\n  - name: Cellar', ['6 gateways.1.name']],
    ['a gateway that is not there', '- gateway: cellar', '- gateway: attic', ['22 rooms.1.valves.1.gateway']],
    ['a channel twice', 'channel: 3', 'channel: 1', ['23 rooms.1.valves.1.channel']],
    ['a channel of zero', 'channel: 3', 'channel: 0', ['23 rooms.1.valves.1.channel']],
    [
      'a calendar whose rule names a room that is not there',
      'gateways:',
      'calendars: [{ name: F, address: "https://c.example.org/f.ics", rules: [{ title: "", effect: comfort, rooms: [Attic] }] }]\ngateways:',
      ['4 calendars.0.rules.0.rooms.0'],
    ],
    [
      'a calendar whose rule lacks what its effect needs',
      'gateways:',
      'calendars: [{ name: F, address: "https://c.example.org/f.ics", rules: [{ title: "", effect: away }] }]\ngateways:',
      ['4 calendars.0.rules.0'],
    ],
    [
      'a rule of a calendar with a control character in its title',
      'gateways:',
      'calendars: [{ name: F, address: "https://c.example.org/f.ics", rules: [{ title: "\\e[2J", effect: comfort }] }]\ngateways:',
      ['4 calendars.0.rules.0'],
    ],
    [
      'a calendar twice',
      'gateways:',
      'calendars: [{ name: F, address: "https://c.example.org/f.ics", rules: [] }, { name: f, address: "https://c.example.org/f.ics", rules: [] }]\ngateways:',
      ['4 calendars.1.name'],
    ],
    ['a number that is none', 'area_m2: 7', 'area_m2: .nan', ['11 rooms.0.area_m2']],
  ])('with %s is refused by line and field', (_what, from, to, places) => {
    expect(changed(from, to)).toEqual(places)
  })

  test('with a field missing names it, at the line of its entry', () => {
    const [problem] = problemsOf(HOUSE.replace('    floor_type: timber\n', ''))
    expect(problem).toMatchObject({ line: 17, field: 'rooms.1', message: 'floor_type is missing' })
  })

  test('with several faults tells them all', () => {
    const text = HOUSE.replace('target_temperature: 22', 'target_temperature: 99').replace('timber', 'carpet')
    expect(problemsOf(text).map(({ line }) => line)).toEqual([12, 18])
  })

  test('that is not YAML is refused with the line', () => {
    expect(problemsOf('name: Lakeside\nrooms: [\n')[0]).toMatchObject({ line: expect.any(Number) })
    expect(problemsOf('a: 1\nb: "open\n').length).toBeGreaterThan(0)
  })

  test('with an alias that stands for nothing, or for far too much, is refused with the line', () => {
    expect(changed('area_m2: 7', 'area_m2: *area')).toEqual(['11 '])
    const levels = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i}, `.repeat(9)}*l${i}]`)
    const [problem] = problemsOf(`l0: &l0 [lol]\n${levels.join('\n')}\n`)
    expect(problem).toMatchObject({ line: 1, message: expect.stringContaining('Excessive alias count') })
  })

  test.each([
    [
      'aliases',
      `a: &a {x: 1}\n${Array.from({ length: 100 }, (_, i) => `k${i}: {<<: [${'*a, '.repeat(20)}]}\n`).join('')}`,
    ],
    [
      'aliases',
      `a: &a {x: 1}\n${Array.from({ length: 5000 }, (_, i) => `k${i}: {<<: [${'*a, '.repeat(20)}]}\n`).join('')}`,
    ],
    ['nested', `a: ${'['.repeat(100_000)}`],
    ['nested', `${'- '.repeat(100_000)}a`],
    ['larger than 512 KiB', 'a'.repeat(600_000)],
  ])('with far too much of something (%s) is refused before it is parsed', (what, text) => {
    expect(problemsOf(text)).toEqual([{ line: 1, field: '', message: expect.stringContaining(what) }])
  })

  test('names its first fifty faults, and not every one of many', () => {
    const room = (i: number) =>
      `  - { name: R${i}, floor_type: dry, sensor: "a4:01", valves: [{ gateway: nowhere, channel: ${i + 1} }] }\n`
    const text = HOUSE + Array.from({ length: 60 }, (_, i) => room(i)).join('')
    expect(problemsOf(text)).toHaveLength(50)
  })

  test('with a key twice is refused with the line, however many keys there are', () => {
    const many = Array.from({ length: 40_000 }, (_, i) => `k${i}: 1`).join('\n')
    expect(problemsOf(`${many}\nk7: 1`)).toEqual([{ line: 40_001, field: '', message: 'the key k7 is there twice' }])
  })

  test('is read beside the main thread, and given up when that takes too long', async () => {
    const many = Array.from({ length: 40_000 }, (_, i) => `k${i}: 1`).join('\n')
    expect(await readHouseFile(HOUSE)).toMatchObject({ ok: true, house: { name: 'Lakeside 12' } })
    const [read, refused] = await Promise.all([readHouseFile('a: ['), readHouseFile(many, 1)])
    expect(read).toMatchObject({ ok: false, problems: [{ line: 1 }] })
    expect(refused).toMatchObject({ problems: [{ message: 'the file takes longer than 0.001 s to read' }] })
  })

  test('is read by the thread that read the last one, and by a new one after a file that was given up', async () => {
    const many = Array.from({ length: 40_000 }, (_, i) => `k${i}: 1`).join('\n')
    let started = 0
    const count = () => void started++
    process.on('worker', count)
    try {
      await readHouseFile(HOUSE)
      const before = started
      expect(await readHouseFile(HOUSE)).toMatchObject({ ok: true, house: { name: 'Lakeside 12' } })
      expect(await readHouseFile('a: [')).toMatchObject({ ok: false, problems: [{ line: 1 }] })
      expect(started).toBe(before)
      await readHouseFile(many, 1)
      expect(await readHouseFile(HOUSE)).toMatchObject({ ok: true })
      expect(started).toBe(before + 1)
    } finally {
      process.off('worker', count)
    }
  })

  test.each(['', '[]', 'just text', '42'])('of %j is refused', (text) => {
    expect(problemsOf(text).length).toBeGreaterThan(0)
  })

  test('whatever it holds, is either read or refused with a line, and never throws', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(HOUSE.length), fc.nat(20), fc.string()).map(([at, length, text]) => {
        return HOUSE.slice(0, at) + text + HOUSE.slice(at + length)
      }),
    )
    fc.assert(
      fc.property(anything, (text) => {
        const parsed = parseHouseFile(text)
        if (!parsed.ok) for (const { line } of parsed.problems) expect(line).toBeGreaterThan(0)
        expect(parsed.ok || parsed.problems.length > 0).toBe(true)
      }),
      { numRuns: runs(300) },
    )
  })
})
