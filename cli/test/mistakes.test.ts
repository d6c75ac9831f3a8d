import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { carriedOut, hypocaust, type Outcome } from '@hypocaust/testing/command.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '../../service/src/store/open.ts'

const folder = temporaryFolder()
const inFolder = (name: string) => join(folder.path, name)
const HOUSE = readFileSync(join(import.meta.dirname, 'house.yaml'), 'utf8')
let taken: Server
let takenPort: string

beforeAll(async () => {
  taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  takenPort = String((taken.address() as AddressInfo).port)
  await (await openStore(inFolder('d'))).close()
  writeFileSync(inFolder('a-file'), '')
  mkdirSync(inFolder('damaged'))
  writeFileSync(inFolder('damaged/hypocaust.db'), 'no database at all '.repeat(1000))
  writeFileSync(inFolder('wrong.yaml'), HOUSE.replace('floor_type: timber', 'floor_type: carpet'))
})
afterAll(() => {
  taken.close()
  folder.remove()
})

const mistake = async (args: string[], input?: string) => oneLine(await hypocaust(folder.path, args, input))

/** One clear line on standard error, nothing on standard output, never a stack trace. */
function oneLine({ code, stdout, stderr }: Outcome): { code: number | null; line: string } {
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^hypocaust: [^\n]+\n(\(Did you mean [^\n]+\n)?$/)
  expect(stderr).not.toMatch(/\n\s+at |node:internal/)
  return { code, line: stderr.trim() }
}

describe.concurrent('what cannot be done ends with one clear line, and with 1, or 3 where something is not there', () => {
  test.each<[string, () => string[], RegExp]>([
    [
      'serve on a taken port',
      () => ['serve', '--data', 'd', '--mqtt-port', '0', '--port', takenPort],
      /port \d+ on 127\.0\.0\.1 is taken.*--port/,
    ],
    [
      'serve in a folder that is a file',
      () => ['serve', '--data', 'a-file', '--port', '0'],
      /data folder .*a-file.*--data/,
    ],
    [
      'serve on a damaged database',
      () => ['serve', '--data', 'damaged', '--port', '0'],
      /hypocaust\.db is damaged.*restore a backup/,
    ],
    ['demo in a folder that is a file', () => ['demo', '--data', 'a-file', '--port', '0'], /data folder .*a-file/],
    [
      'a key for nobody',
      () => ['key', 'list', '--data', 'd', '--account', 'no@example.org'],
      /no account no@example\.org.*account create/,
    ],
    [
      'a file that is not there',
      () => ['building', 'apply', 'no.yaml', '--data', 'd', '--account', 'a@b.c'],
      /cannot read no\.yaml/,
    ],
    [
      'a wrong house file',
      () => ['building', 'apply', 'wrong.yaml', '--data', 'd', '--account', 'a@b.c'],
      /wrong\.yaml:18: rooms\.1\.floor_type: must be one of screed/,
    ],
    [
      'a command without the settings of the service',
      () => ['account', 'list'],
      /there is no database in .*data\. .*--data.*hypocaust\.env/,
    ],
    ['a key that is not there', () => ['key', 'revoke', 'none', '--data', 'd'], /there is no key none/],
  ])('%s', async (_what, args, line) => {
    const outcome = await mistake(args())
    expect(outcome.line).toMatch(line)
    expect(outcome.code).toBe(/^hypocaust: there is no (account|key)/.test(outcome.line) ? 3 : 1)
  })

  test('a password too short', async () => {
    const outcome = await mistake(['account', 'create', 'a@example.org', '--password-stdin', '--data', 'd'], 'short\n')
    expect(outcome).toEqual({ code: 1, line: expect.stringContaining('at least 10 characters') })
  })
})

describe('what was not understood ends with 2', () => {
  test('a command that does not exist', async () => {
    expect(await mistake(['acount'])).toEqual({ code: 2, line: expect.stringMatching(/unknown command 'acount'/) })
  })

  test.each<[string, string[], RegExp]>([
    ['a port that is none', ['matter', '--port', '70000'], /--port: 70000 is no port.*0 to 65535/],
    [
      'a value not of the list',
      ['key', 'create', '--account', 'a', '--name', 'x', '--permission', 'admin'],
      /read, write/,
    ],
    [
      'a time span that is none',
      ['key', 'create', '--account', 'a', '--name', 'x', '--permission', 'read', '--expires', 'soon'],
      /soon is not a time span/,
    ],
    ['a port that is none', ['serve', '--data', 'd', '--port', 'http'], /--port: "http" .*whole number/],
  ])('%s', async (_what, args, line) => {
    expect(oneLine(await carriedOut(args))).toEqual({ code: 2, line: expect.stringMatching(line) })
  })
})

test('a command without the settings of the service creates nothing', async () => {
  const empty = inFolder('nowhere')
  mkdirSync(empty)
  const outcome = await hypocaust(empty, ['account', 'create', 'a@example.org', '--password-stdin'], 'long enough\n')
  expect([outcome.code, outcome.stdout]).toEqual([1, ''])
  expect(existsSync(join(empty, 'data'))).toBe(false)
})

test('doctor names a host that is none', async () => {
  const flags = ['--data', 'fresh', '--host', 'no\u001dhost', '--port', '0', '--mqtt-port', '0']
  const { code, stdout, stderr } = await hypocaust(folder.path, ['doctor', ...flags])
  expect([code, stderr]).toEqual([1, ''])
  expect(stdout).toContain('no\u001dhost')
})

test('doctor says of each part whether it is well, and ends with 1 when one is not', async () => {
  const well = await hypocaust(folder.path, ['doctor', '--json', '--data', 'fresh', '--port', '0', '--mqtt-port', '0'])
  expect(well.json.map(({ check, ok }: { check: string; ok: boolean }) => [check, ok])).toEqual([
    ['Node', true],
    ['Data folder', true],
    ['Database', true],
    ['HTTP port', true],
    ['MQTT port', true],
  ])
  expect(well.code).toBe(0)
  const ill = await hypocaust(folder.path, ['doctor', '--data', 'damaged', '--port', takenPort, '--mqtt-port', '0'])
  expect(ill.code).toBe(1)
  expect(ill.stdout).toMatch(/✗ Database: .*restore a backup/)
  expect(ill.stdout).toMatch(/✗ HTTP port: .*taken by another program.*--port/)
})
