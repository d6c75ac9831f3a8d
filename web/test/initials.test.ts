import { expect, test } from 'vitest'
import { initialsOf } from '../src/ui/initials.ts'

test.each([
  ['Ada', 'A'],
  ['Ada Lind', 'AL'],
  ['Carla of Lakeside Heating', 'CH'],
  ['ada@example.org', 'a'],
  ['  Ö  ', 'Ö'],
  ['😀 Smith', '😀S'],
])('the initials of %s are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
