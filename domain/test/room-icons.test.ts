import { expect, test } from 'vitest'
import { iconByName, ROOM_ICONS } from '../src/facts/room-icons.ts'

test.each([
  ['Bathroom', 'bath'],
  ['Bad', 'bath'],
  ['Gästebad', 'toilet'],
  ['Bad oben', 'bath'],
  ['Küche', 'kitchen'],
  ['KITCHEN', 'kitchen'],
  ['Living room', 'living'],
  ['Wohnzimmer', 'living'],
  ['Kinderzimmer Mia', 'child'],
  ['Guest room', 'bedroom'],
  ['Esszimmer', 'dining'],
  ['Hausflur', 'room'],
  ['Flur', 'hall'],
  ['Ibadan', 'room'],
  ['', 'room'],
] as const)('a room named %j has the icon %s', (name, icon) => {
  expect(iconByName(name)).toBe(icon)
  expect(ROOM_ICONS).toContain(icon)
})
