import { expect, test } from 'vitest'
import { messagesIn } from '../src/facts/message.ts'

const fill = messagesIn('en')

test('values are put where their names are', () => {
  expect(fill('{room}: {degrees}°', { room: 'Kitchen', degrees: '21.5' })).toBe('Kitchen: 21.5°')
})

test('a value is not read as a message', () => {
  expect(fill('{room} is warm', { room: '{n, plural, one {a} other {b}}' })).toBe(
    '{n, plural, one {a} other {b}} is warm',
  )
})

test('each language has its own forms of one and many', () => {
  const days = '{n, plural, one {{n} a} other {{n} b}}'
  expect([0, 1, 2].map((n) => messagesIn('en')(days, { n }))).toEqual(['0 b', '1 a', '2 b'])
  expect([0, 1, 2].map((n) => messagesIn('fr')(days, { n }))).toEqual(['0 a', '1 a', '2 b'])
})

test('a form for one number goes before the form of its kind', () => {
  expect([0, 1, 5].map((n) => fill('{n, plural, =0 {none} one {one} other {{n}}}', { n }))).toEqual([
    'none',
    'one',
    '5',
  ])
})

test('a plural stands in a sentence with other values and other plurals', () => {
  const text = 'In {n, plural, one {{n} day} other {{n} days}} {room} had {m, plural, one {one} other {{m}}}.'
  expect(fill(text, { n: 2, m: 1, room: 'Hall' })).toBe('In 2 days Hall had one.')
})

test('numbers are written as the language writes them', () => {
  expect(messagesIn('de')('{n} Tage', { n: 12_345 })).toBe('12.345 Tage')
  expect(messagesIn('de')('{n}', { n: '12345' })).toBe('12345')
})

test('what has no value stays to be seen', () => {
  expect(fill('{room} is warm')).toBe('{room} is warm')
})
