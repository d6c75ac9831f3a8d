import { ENGINES } from '@hypocaust/testing/database.ts'
import { STRANGERS_SENSOR } from '@hypocaust/testing/houses.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

/** What is wrong, the body as sent, the code, and what the message must name. */
const REFUSED: [string, string, string, string?][] = [
  ['broken JSON', '{"name":', 'invalid_json'],
  ['an empty body', '', 'invalid_json'],
  ['a comment in JSON', '{/* */}', 'invalid_json'],
  ['NaN', '{"target_temperature":NaN}', 'invalid_json'],
  ['a field twice', '{"target_temperature":21,"target_temperature":22}', 'invalid_json', 'target_temperature'],
  ['a member twice', '{"manual_power":{"power":0,"power":1}}', 'invalid_json', 'power'],
  ['an array', '[{"name":"x"}]', 'invalid_body'],
  ['a text', '"off"', 'invalid_body'],
  ['a number', '21', 'invalid_body'],
  ['null', 'null', 'invalid_body'],
  ['a typing mistake', '{"target_temprature":21}', 'unknown_field', 'target_temprature'],
  ['a field without a name', '{"":1}', 'unknown_field', '""'],
  ['power', '{"power":0.5}', 'unknown_field', 'power'],
  ['hvac_action', '{"hvac_action":"heating"}', 'unknown_field', 'hvac_action'],
  ['the id', '{"id":"x"}', 'unknown_field', 'id'],
  ['the sensor object', '{"sensor":{}}', 'unknown_field', 'sensor'],
  ['current_temperature', '{"current_temperature":21}', 'unknown_field', 'current_temperature'],
  ['a comfort band', '{"comfort_band":0.5}', 'unknown_field', 'comfort_band'],
  ['night mode', '{"night_mode":{}}', 'unknown_field', 'night_mode'],
  ['a floor type', '{"floor_type":"screed"}', 'unknown_field', 'floor_type'],
  ['__proto__', '{"__proto__":{"hvac_mode":"off"}}', 'unknown_field', '__proto__'],
  ['constructor', '{"constructor":{"prototype":{}}}', 'unknown_field', 'constructor'],
  ['__proto__ within manual_power', '{"manual_power":{"__proto__":{}}}', 'unknown_field', 'manual_power.__proto__'],
  ['an unknown member of manual_power', '{"manual_power":{"powr":1}}', 'unknown_field', 'manual_power.powr'],
  ['a target below 7', '{"target_temperature":6.99}', 'invalid_value', 'target_temperature'],
  ['a target above 35', '{"target_temperature":35.01}', 'invalid_value', 'target_temperature'],
  ['a target of 1e400', '{"target_temperature":1e400}', 'invalid_value', 'target_temperature'],
  ['a target as text', '{"target_temperature":"21"}', 'invalid_value', 'target_temperature'],
  ['a target of null', '{"target_temperature":null}', 'invalid_value', 'target_temperature'],
  ['an unknown preset', '{"preset_mode":"eco"}', 'invalid_value', 'preset_mode'],
  ['a preset in upper case', '{"preset_mode":"LOW"}', 'invalid_value', 'preset_mode'],
  ['an unknown mode', '{"hvac_mode":"auto"}', 'invalid_value', 'hvac_mode'],
  ['manual power as a number', '{"manual_power":0.5}', 'invalid_value', 'manual_power'],
  ['manual power above 1', '{"manual_power":{"power":1.01}}', 'invalid_value', 'manual_power.power'],
  ['manual power below 0', '{"manual_power":{"power":-0.01}}', 'invalid_value', 'manual_power.power'],
  ['enabled as a number', '{"manual_power":{"enabled":1}}', 'invalid_value', 'manual_power.enabled'],
  ['an empty name', '{"name":""}', 'invalid_value', 'name'],
  ['a name of spaces', '{"name":"  "}', 'invalid_value', 'name'],
  ['a name of 101 characters', `{"name":"${'x'.repeat(101)}"}`, 'invalid_value', 'name'],
  ['a control character in a name', '{"name":"a\\u0000b"}', 'invalid_value', 'name'],
  ['a line break in a name', '{"name":"a\\nb"}', 'invalid_value', 'name'],
  ['half a surrogate pair in a name', '{"name":"a\\ud800b"}', 'invalid_value', 'name'],
  ['a sensor id that is none', '{"sensor_id":"kitchen"}', 'invalid_value', 'sensor_id'],
  ['an empty sensor id', '{"sensor_id":""}', 'invalid_value', 'sensor_id'],
  ['a sensor nobody has', '{"sensor_id":"00:00:00:00:00:01"}', 'unknown_sensor', '00:00:00:00:00:01'],
  ['a sensor of another building', `{"sensor_id":"${STRANGERS_SENSOR}"}`, 'unknown_sensor', STRANGERS_SENSOR],
]

describe.each(ENGINES)('the body of a PATCH on %s', (engine) => {
  let world: World
  let before: unknown
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    await world.reset()
    before = await world.bathroom()
  })

  test.each(REFUSED)('with %s is refused and changes nothing', async (_what, body, code, named) => {
    const { status, json } = await world.patch(body)
    expect([status, json.error.code]).toEqual([400, code])
    expect(json.error.message).toContain(named ?? 'body')
    expect(await world.bathroom()).toEqual(before)
  })

  test.each(REFUSED.filter(([, , code]) => code !== 'invalid_json' && code !== 'invalid_body'))(
    'with %s beside a valid field changes neither',
    async (_what, body, code) => {
      const { json } = await world.patch(`{"name":"Changed",${body.slice(1)}`)
      const isTwice = body.includes('"name"')
      expect(json.error.code).toBe(isTwice ? 'invalid_json' : code)
      expect(await world.bathroom()).toEqual(before)
    },
  )

  test.each([
    ['{"target_temperature":36}', 'target_temperature must be at most 35.'],
    ['{"target_temperature":6}', 'target_temperature must be at least 7.'],
    ['{"target_temperature":"21"}', 'target_temperature must be a number.'],
    ['{"hvac_mode":"auto"}', 'hvac_mode must be one of: heat, off.'],
    ['{"manual_power":{"enabled":1}}', 'manual_power.enabled must be true or false.'],
    ['{"manual_power":0.5}', 'manual_power must be an object.'],
    ['{"name":""}', 'name must be a text of 1 to 100 characters without control or invisible characters.'],
  ])('%s is refused with the words: %s', async (body, message) => {
    expect((await world.patch(body)).json.error.message).toBe(message)
  })

  test('without a body at all is not JSON', async () => {
    const { status, json } = await world.call('PATCH', world.bathroomPath, { key: world.holder.writeKey })
    expect([status, json.error.code]).toEqual([400, 'invalid_json'])
  })

  test('that is not UTF-8 is not JSON', async () => {
    const answer = await world.app.inject({
      method: 'PATCH',
      url: world.bathroomPath,
      headers: { 'x-api-key': world.holder.writeKey, 'content-type': 'application/json' },
      payload: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    })
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'invalid_json'])
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'application/merge-patch+json'])(
    'as %s is an unsupported media type',
    async (type) => {
      const { status, json } = await world.patch({ name: 'x' }, { headers: { 'content-type': type } })
      expect([status, json.error.code]).toEqual([415, 'unsupported_media_type'])
      expect(await world.bathroom()).toEqual(before)
    },
  )

  test.each([
    ['in UTF-16', { 'content-type': 'application/json; charset=utf-16' }],
    ['in Latin 1', { 'content-type': 'application/json;charset="ISO-8859-1"' }],
    ['compressed', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
  ])('%s is of an unsupported type, and not called broken', async (_what, headers) => {
    const { status, json } = await world.patch('{"target_temperature":21}', { headers })
    expect([status, json.error.code]).toEqual([415, 'unsupported_media_type'])
  })

  test('may name its character set', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    expect((await world.patch({ name: 'Salle d’eau' }, { headers })).status).toBe(200)
  })

  test.each([
    ['3 MB', 3 * 1024 * 1024],
    ['one byte over 16 KiB', 16 * 1024 + 1],
  ])('of %s is too large', async (_size, bytes) => {
    const { status, json } = await world.patch('{"name":"x"}'.padEnd(bytes))
    expect([status, json.error.code]).toEqual([413, 'body_too_large'])
    expect(await world.bathroom()).toEqual(before)
  })

  test('of exactly 16 KiB is accepted', async () => {
    expect((await world.patch('{"name":"x"}'.padEnd(16 * 1024))).status).toBe(200)
  })

  test('leaves no trace on the prototype of objects', async () => {
    await world.patch('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
