import { ContactReading, matches } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { Contacts } from '../src/agent/contacts.ts'

const heard = (open: boolean) => ({
  id: 'aa:01',
  name: null,
  open,
  batt: 80,
  rssi: null,
  measuredMs: 1_763_200_000_000,
})

test('a change goes up at once, a lasting state every ten minutes', () => {
  const contacts = new Contacts()
  const states = (open: boolean, atMs: number) => contacts.hear([heard(open)], atMs).map(({ contact }) => contact)
  expect(states(false, 0)).toEqual(['closed'])
  expect(states(false, 1_000)).toEqual([])
  expect(states(true, 2_000)).toEqual(['open'])
  expect(states(true, 300_000)).toEqual([])
  expect(states(true, 602_000)).toEqual(['open'])
})

test('a report is a reading by the schema', () => {
  const [reading] = new Contacts().hear([heard(true)], 0)
  expect(matches(ContactReading, reading)).toBe(true)
})
