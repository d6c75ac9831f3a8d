import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REFUSALS, refusalOf } from '../src/ui/refusals.ts'

/** The service's own refusals, and what the domain says of a value with the wrong form. */
const SOURCES = ['service', 'domain'].map((name) => join(import.meta.dirname, '../..', name, 'src'))

test('every refusal that is translated is one of the service', () => {
  const source = SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  ).join('\n')
  expect(REFUSALS.filter(([said]) => !said.test(source)).map(([, key]) => key)).toEqual([])
})

test('English of the service and names of its fields are never shown', () => {
  expect(refusalOf('room_ids: a guest needs at least one room.')).toEqual({ key: 'refused.guest_rooms' })
  expect(refusalOf('target_temperature must be between 7 and 35.')).toEqual({ key: 'problem.invalid' })
  expect(refusalOf('12: rooms.0.name: must not be empty').key).toBe('problem.file')
})
