import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REFUSALS, refusalOf } from '../src/ui/refusals.ts'

const SERVICE = join(import.meta.dirname, '../../service/src')

test('every refusal that is translated is one of the service', () => {
  const source = readdirSync(SERVICE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(SERVICE, name), 'utf8'))
    .join('\n')
  expect(REFUSALS.filter(([said]) => !said.test(source)).map(([, key]) => key)).toEqual([])
})

test('English of the service and names of its fields are never shown', () => {
  expect(refusalOf('room_ids: a guest needs at least one room.')).toEqual({ key: 'refused.guest_rooms' })
  expect(refusalOf('target_temperature must be between 7 and 35.')).toEqual({ key: 'problem.invalid' })
  expect(refusalOf('12: rooms.0.name: must not be empty').key).toBe('problem.file')
})
