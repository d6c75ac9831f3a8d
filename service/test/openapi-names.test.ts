import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

interface Schema {
  type?: string | string[]
  format?: string
  enum?: (string | null)[]
  deprecated?: boolean
  description?: string
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
}

/** Their names are those of the specification. */
const SPECIFIED = ['Building', 'Room', 'RoomPatch']
/** A span has a beginning and an end. */
const ENDS_OF_A_SPAN = ['from', 'to', 'until', 'counted_until']
/** What an override sets, and hours that a client asks for. */
const GIVEN_WHERE_MEANT = ['Override.target_temperature', 'Override.hvac_mode', 'Override.power', 'hours']

const document = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../docs/openapi.json'), 'utf8'))
/** Sent by clients, so a field may be left out. */
const REQUESTS = Object.values(document.paths as Record<string, object>)
  .flatMap((path) => Object.values(path))
  .flatMap(({ requestBody }) => [...JSON.stringify(requestBody ?? {}).matchAll(/#\/components\/schemas\/(\w+)/g)])
  .map(([, name]) => name)
const schemas = Object.entries(document.components.schemas as Record<string, Schema>).filter(
  ([name]) => !SPECIFIED.includes(name),
)

interface Field {
  path: string
  name: string
  schema: Schema
  isRequired: boolean
}

function fieldsOf(path: string, schema: Schema): Field[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const inner = `${path}.${name}`
    const isRequired = schema.required?.includes(name) ?? false
    return [{ path: inner, name, schema: field, isRequired }, ...fieldsOf(inner, field)]
  })
  return schema.items ? [...own, ...fieldsOf(path, schema.items)] : own
}

const fields = schemas.flatMap(([name, schema]) => fieldsOf(name, schema))
const current = fields.filter(({ schema }) => !schema.deprecated)
const named = (isWrong: (field: Field) => boolean) => current.filter(isWrong).map(({ path }) => path)

test('a time has a name that ends in at, unless it is an end of a span', () => {
  const isTime = ({ schema }: Field) => schema.format === 'date-time'
  expect(current.filter(isTime).length).toBeGreaterThan(5)
  expect(
    named((field) => isTime(field) && !/(?:^|_)at$/.test(field.name) && !ENDS_OF_A_SPAN.includes(field.name)),
  ).toEqual([])
})

test('a code is written with underscores', () => {
  const codesOf = ({ schema }: Field) => (schema.enum ?? schema.items?.enum ?? []).filter((code) => code !== null)
  expect(current.flatMap(codesOf)).toContain('warm_enough')
  expect(named((field) => codesOf(field).some((code) => code.includes('-')))).toEqual([])
})

test('the setpoint and the outdoor temperature have one name each', () => {
  expect(named(({ name }) => ['target', 'aimed', 'outdoor', 'outside'].includes(name))).toEqual([])
})

test('a field of an answer is null where there is nothing, not absent', () => {
  expect(REQUESTS).toContain('AwayPut')
  const isGivenWhereMeant = ({ path, name }: Field) =>
    GIVEN_WHERE_MEANT.includes(path) || GIVEN_WHERE_MEANT.includes(name)
  const isAnswer = ({ path }: Field) => !REQUESTS.some((request) => path.startsWith(`${request}.`))
  expect(named((field) => isAnswer(field) && !field.isRequired && !isGivenWhereMeant(field))).toEqual([])
})

test('what is deprecated names the field to use instead', () => {
  const deprecated = fields.filter(({ schema }) => schema.deprecated)
  expect(deprecated.length).toBeGreaterThan(0)
  for (const { path, schema } of deprecated) {
    const [, instead] = /Use `(\w+)`/.exec(schema.description ?? '') ?? []
    const siblings = current.filter((field) => field.path.replace(/\.\w+$/, '') === path.replace(/\.\w+$/, ''))
    expect(
      siblings.map(({ name }) => name),
      path,
    ).toContain(instead)
  }
})

describe('answers with a field under its old name', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld('sqlite')
  })
  afterAll(() => world.close())

  test.each([
    ['/buildings/{buildingId}/rooms/{roomId}/outlook', true],
    ['/buildings/{buildingId}/rooms/{roomId}/explanation', true],
    ['/buildings/{buildingId}/alerts', true],
    ['/buildings/{buildingId}/state', true],
    ['/buildings/{buildingId}/rooms', false],
    ['/buildings/{buildingId}/away', false],
    ['/buildings/{buildingId}/presence', false],
  ])('%s announces its removal: %s, as the document says', async (path, isAnnounced) => {
    const { buildingId, roomIds } = world.holder
    const asked = `/v1${path.replace('{buildingId}', buildingId).replace('{roomId}', roomIds[0] ?? '')}`
    const { status, headers } = await world.get(asked)
    expect(status).toBe(200)
    expect(headers.deprecation).toBe(isAnnounced ? '@1796083200' : undefined)
    expect(headers.sunset).toBe(isAnnounced ? 'Wed, 01 Dec 2027 00:00:00 GMT' : undefined)
    const documented = Object.keys(document.paths[`/v1${path}`].get.responses['200'].headers)
    expect(documented.includes('Deprecation')).toBe(isAnnounced)
    const { headers: refused } = await world.get(asked.replace(buildingId, crypto.randomUUID()))
    expect(refused.deprecation).toBeUndefined()
  })
})
