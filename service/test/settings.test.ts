import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { readSettings, SETTINGS } from '../src/settings.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const NO_FILE = join(folder.path, 'none.yaml')

let written = 0
function fileWith(text: string): string {
  const file = join(folder.path, `${written++}.yaml`)
  writeFileSync(file, text)
  return file
}

describe('settings', () => {
  test('have the defaults of the decisions', () => {
    expect(readSettings({}, {}, NO_FILE)).toMatchObject({
      data: './data',
      host: '127.0.0.1',
      port: 8080,
      mqtt_port: 1883,
      rate_limit_reads: 600,
      rate_limit_writes: 120,
      silent_after_s: 300,
    })
  })

  test.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('a switch may be written as %s', (text, value) => {
    const env = { HYPOCAUST_ANNOUNCE: text, HYPOCAUST_HA_DISCOVERY: text }
    expect(readSettings({}, env, NO_FILE)).toMatchObject({ announce: value, ha_discovery: value })
    expect(readSettings({}, {}, fileWith(`announce: ${text}\n`))).toMatchObject({ announce: value })
  })

  test.each(['2', 'yes', '-1'])('a switch is never %s', (text) => {
    expect(() => readSettings({}, { HYPOCAUST_ANNOUNCE: text }, NO_FILE)).toThrow(
      /HYPOCAUST_ANNOUNCE: .* It must be true or false/,
    )
  })

  test('flags beat environment beats file', () => {
    const file = fileWith('port: 1\nhost: file.example\nrate_limit_reads: 1\n')
    const env = { HYPOCAUST_PORT: '2', HYPOCAUST_HOST: 'env.example' }
    expect(readSettings({ port: '3' }, env, file)).toMatchObject({
      port: 3,
      host: 'env.example',
      rate_limit_reads: 1,
      rate_limit_writes: 120,
    })
  })

  test('every setting has a variable of its name, and says what it means', () => {
    for (const [name, schema] of Object.entries(SETTINGS)) {
      expect((schema as { description?: string }).description).toMatch(/\.$/)
      expect(() => readSettings({}, { [`HYPOCAUST_${name.toUpperCase()}`]: '' }, NO_FILE)).not.toThrow()
    }
  })

  test('HYPOCAUST_CONFIG names another file, which must then be there', () => {
    const file = fileWith('port: 4\n')
    expect(readSettings({}, { HYPOCAUST_CONFIG: file }).port).toBe(4)
    expect(() => readSettings({}, { HYPOCAUST_CONFIG: NO_FILE })).toThrow(/cannot read the configuration file/)
  })

  test('an empty file sets nothing', () => {
    expect(readSettings({}, {}, fileWith('# nothing yet\n')).port).toBe(8080)
  })

  test('0 is a value, not an absence', () => {
    expect(readSettings({}, { HYPOCAUST_RATE_LIMIT_READS: '0' }, NO_FILE).rate_limit_reads).toBe(0)
  })

  test.each([
    ['a flag', { port: 'http' }, {}, '', /--port: "http" .*whole number from 0 to 65535/],
    ['a flag with a sign', { port: '-1' }, {}, '', /--port/],
    ['a flag out of range', { port: '70000' }, {}, '', /--port: "70000"/],
    ['a variable', {}, { HYPOCAUST_RATE_LIMIT_READS: '1e3' }, '', /HYPOCAUST_RATE_LIMIT_READS: "1e3"/],
    ['a variable not of the list', {}, { HYPOCAUST_LOG_LEVEL: 'loud' }, '', /HYPOCAUST_LOG_LEVEL.*debug, info/],
    ['the file', {}, {}, 'port: many', /\.yaml: port: "many"/],
  ])('a wrong value in %s names its origin and what is possible', (_where, flags, env, text, message) => {
    expect(() => readSettings(flags, env, fileWith(text))).toThrow(message)
  })

  test('a setting that does not exist is refused by name', () => {
    expect(() => readSettings({}, {}, fileWith('prot: 80'))).toThrow(/there is no setting "prot"/)
  })

  test.each(['- a\n- list', 'just text', 'port: [', '{'])('a file of %j is refused in one line', (text) => {
    const read = () => readSettings({}, {}, fileWith(text))
    expect(read).toThrow(/\.yaml/)
    expect(read).toThrow(/^[^\n]*$/)
  })

  test('a folder in place of the file is refused', () => {
    const path = join(folder.path, 'folder.yaml')
    mkdirSync(path)
    expect(() => readSettings({}, {}, path)).toThrow(/cannot read the configuration file/)
  })
})

test.each([
  ['HYPOCAUST_AUTH_SECRET', 'hunter2'],
  ['HYPOCAUST_DATABASE_URL', 'mysql://ada:hunter2@host/db'],
  ['HYPOCAUST_MQTT_URL', 'http://ada:hunter2@host'],
  ['HYPOCAUST_SMTP_URL', 'http://ada:hunter2@host'],
])('a bad %s is named, and not shown', (name, value) => {
  const read = () => readSettings({}, { [name]: value }, 'none.yaml')
  expect(read).toThrow(name)
  expect(read).not.toThrow(/hunter2/)
})
