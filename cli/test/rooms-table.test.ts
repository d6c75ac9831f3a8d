import { stripVTControlCharacters } from 'node:util'
import { type Building, HypocaustError, type Room } from '@hypocaust/client'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LiveScreen } from '../src/holder/live-screen.ts'
import { roomsTable } from '../src/holder/rooms-table.ts'
import { cut, widthOf } from '../src/holder/text-width.ts'
import { troubleText } from '../src/holder/words.ts'

const NOW_MS = Date.parse('2026-01-10T08:15:03.000Z')

const building: Building = {
  id: 'b',
  name: 'Lakeside 12',
  location: { lat: 59.91, lng: 10.75 },
  available: true,
  last_seen: '2026-01-10T08:15:00.000Z',
  weather: null,
}

const room = (name: string): Room => ({
  id: name,
  name,
  current_temperature: 21.4,
  current_humidity: 47,
  target_temperature: 22.5,
  min_temp: 7,
  max_temp: 35,
  hvac_mode: 'heat',
  hvac_modes: ['heat', 'off'],
  hvac_action: 'heating',
  preset_mode: 'medium',
  preset_modes: ['none', 'low', 'medium', 'high'],
  manual_power: { enabled: false, power: 0 },
  power: 1,
  sensor_id: 's',
  sensor: { id: 's', temperature: 21.4, humidity: 47, batt: 81, rssi: -71, timestamp: '2026-01-10T08:14:00.000Z' },
})

const table = (names: string[], width: number): string[] =>
  roomsTable([{ building, rooms: names.map(room) }], { nowMs: NOW_MS, width, isColoured: false }).split('\n')

const titles = (width: number) => table(['Living room'], width)[1]?.split(/ +/)

test('a narrow terminal shows fewer columns, the most important last, and that there are more', () => {
  expect(titles(100)).toEqual(['Room', 'Now', 'Target', 'Floor', 'Preset', 'Humidity', 'Battery', 'Measured'])
  expect(titles(80)).toEqual(['Room', 'Now', 'Target', 'Floor', 'Preset', 'Humidity', 'Measured', '…'])
  expect(titles(50)).toEqual(['Room', 'Now', 'Target', 'Floor', '…'])
  expect(titles(40)).toEqual(['Room', 'Now', 'Target', '…'])
  expect(titles(30)).toEqual(['Room', 'Now', 'Target'])
})

test('no line is wider than the terminal, whatever the rooms are called', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((text) => !text.includes('\n'))
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.integer({ min: 10, max: 120 }), (names, width) => {
      for (const line of table(names, width)) expect(widthOf(line)).toBeLessThanOrEqual(width)
    }),
  )
})

test('columns stay straight beside letters that are two wide', () => {
  const lines = table(['Küche', '浴室', 'Sauna 🔥'], 100).slice(2)
  const starts = lines.map((line) => widthOf(line.slice(0, line.indexOf('21.4 °C'))))
  expect(new Set(starts).size).toBe(1)
})

test('what is cut ends with an ellipsis and never in the middle of a letter', () => {
  expect([cut('Bathroom', 8), cut('Bathroom', 5), cut('浴室浴室', 4), cut('e\u0301te\u0301', 2)]).toEqual([
    'Bathroom',
    'Bath…',
    '浴…',
    'e\u0301…',
  ])
})

test('rooms that do not fit on the screen are counted', () => {
  let drawn = ''
  const out = { columns: 40, rows: 6, write: (text: string) => (drawn = text) } as unknown as NodeJS.WriteStream
  new LiveScreen(out).draw(['one', 'two', 'three', 'four', 'five'].join('\n'), 'Ctrl-C ends.')
  expect(stripVTControlCharacters(drawn).split('\n')).toEqual(['one', 'two', '… 3 more lines', '', 'Ctrl-C ends.', ''])
})

test('on forty columns a lost connection is named before its reason', () => {
  const lost = new HypocaustError('no_connection', 'There is no connection to http://192.168.1.20:8080 (ECONNREFUSED)')
  expect(cut(troubleText(lost), 40)).toBe('Connection lost, trying again. There is…')
  const busy = new HypocaustError('rate_limited', 'Too many requests.')
  expect(troubleText(busy)).toBe('Trying again. Too many requests.')
})
