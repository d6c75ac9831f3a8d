import type { TSchema } from 'typebox'
import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { Building, ERRORS, Key, matches, Nullable, Room, RoomPatch, UUID_PATTERN } from '../src/index.ts'

const WRITABLE = ['hvac_mode', 'manual_power', 'name', 'preset_mode', 'sensor_id', 'target_temperature']

describe('the schemas', () => {
  test('a nullable number is a list of types, for the serialiser writes null as 0 otherwise', () => {
    const schema = Nullable(Type.Number({ minimum: 1 })) as unknown as { type: string[]; minimum: number }
    expect(schema).toMatchObject({ type: ['number', 'null'], minimum: 1 })
    for (const [value, fits] of [
      [null, true],
      [1, true],
      [0, false],
      ['1', false],
    ]) {
      expect(matches(schema as unknown as TSchema, value)).toBe(fits)
    }
  })

  test('exactly these fields of a room are writable', () => {
    expect(Object.keys(RoomPatch.properties).sort()).toEqual(WRITABLE)
  })

  test('every field is always present: nothing in an answer is optional', () => {
    for (const schema of [Building, Room, Key]) {
      expect([...(schema.required ?? [])].sort()).toEqual(Object.keys(schema.properties).sort())
    }
  })

  test('wire names are snake_case', () => {
    const names = [Building, Room, Key, RoomPatch].flatMap((schema) => Object.keys(schema.properties))
    for (const name of names) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
  })

  test('exactly these can be null', () => {
    const nullable = (schema: { properties: Record<string, TSchema> }) =>
      Object.entries(schema.properties)
        .filter(([, field]) => matches(field, null))
        .map(([name]) => name)
    expect(nullable(Building)).toEqual(['available', 'last_seen', 'weather'])
    expect(nullable(Room)).toEqual(['current_temperature', 'current_humidity', 'sensor'])
    expect(nullable(Room.properties.sensor as unknown as typeof Room)).toEqual(['humidity', 'batt', 'rssi'])
    expect(nullable(Key)).toEqual(['expires_at'])
  })
})

test('every error has a status of its kind, and says when it occurs in a sentence', () => {
  for (const [code, { status, when }] of Object.entries(ERRORS)) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(status).toBeGreaterThanOrEqual(code === 'moved' ? 307 : 400)
    expect(when).toMatch(/^[A-Z`].*\.$/)
  }
})

test('a UUID is in lower case', () => {
  expect('019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e').toMatch(UUID_PATTERN)
  expect('019BB0F4-6E00-7C3A-9D5E-2F1A6B7C8D9E').not.toMatch(UUID_PATTERN)
})
