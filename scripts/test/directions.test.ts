import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { importsOf, problemsIn, type Rules } from '../directions.ts'

const RULES: Rules = {
  workspaces: { domain: [], service: ['domain'] },
  bands: { service: ['roles', 'doors', 'house', 'store'] },
  apart: { service: ['doors/http', 'doors/mqtt'] },
  tests: ['testing'],
}

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'directions-'))
  write('package.json', JSON.stringify({ workspaces: ['domain', 'service'] }))
  write('domain/package.json', '{}')
  write('service/package.json', JSON.stringify({ dependencies: { '@hypocaust/domain': '1.0.0', pino: '1.0.0' } }))
  write('domain/src/index.ts', '')
  write('service/src/main.ts', "import './settings.ts'\nimport { api } from './roles/api.ts'")
  write('service/src/settings.ts', '')
  write('service/src/roles/api.ts', "import { routes } from '../doors/http/routes.ts'")
  write('service/src/doors/http/routes.ts', "import { rooms } from '../../house/rooms/rooms.ts'")
  write('service/src/doors/mqtt/link.ts', "import pino from 'pino'\nimport { join } from 'node:path'")
  write('service/src/house/rooms/rooms.ts', "import type { Room } from '@hypocaust/domain'")
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const problems = () => problemsIn(root, RULES)

test('imports that go downwards are fine', () => {
  expect(problems()).toEqual([])
})

test('a file of house/ must not import one of doors/', () => {
  write('service/src/house/heating/heating.ts', "import { link } from '../../doors/mqtt/link.ts'")
  expect(problems()).toContain(
    'service/src/house/heating/heating.ts: imports service/src/doors/mqtt/link.ts: imports go downwards: roles → doors → house → store',
  )
})

test('an import of a type alone counts as well', () => {
  write('service/src/house/heating/heating.ts', "import type { Link } from '../../doors/mqtt/link.ts'")
  expect(problems()).toContainEqual(expect.stringContaining('imports go downwards'))
})

test('no band imports the loose files above it', () => {
  write('service/src/house/weather/choose.ts', "import type { Settings } from '../../settings.ts'")
  expect(problems()).toEqual([expect.stringContaining('house/weather/choose.ts: imports service/src/settings.ts')])
})

test('a folder that is no band is reported', () => {
  write('service/src/helpers/text.ts', "import { join } from './join.ts'")
  expect(problems()).toEqual([expect.stringContaining('service/src/helpers/text.ts: stands in none of the bands')])
})

test('the doors never meet', () => {
  write('service/src/doors/http/events.ts', "import { link } from '../mqtt/link.ts'")
  expect(problems()).toEqual([expect.stringContaining('doors/http/ and doors/mqtt/ never meet')])
})

test('two folders must not import each other, in any workspace', () => {
  write('domain/src/rooms/room.ts', "export { key } from '../keys/secret.ts'")
  write('domain/src/keys/key.ts', "import { name } from '../rooms/names/name.ts'")
  expect(problems()).toEqual([
    'domain/src/keys/ and domain/src/rooms/ import each other: ' +
      'domain/src/keys/key.ts → domain/src/rooms/names/name.ts, domain/src/rooms/room.ts → domain/src/keys/secret.ts',
  ])
})

test('a folder and a folder inside it may import each other', () => {
  write('domain/src/store/open.ts', "import { file } from './sqlite/file.ts'")
  write('domain/src/store/sqlite/dialect.ts', "import type { Store } from '../store.ts'")
  expect(problems()).toEqual([])
})

test('files must not import each other in a circle, which is reported once', () => {
  write('domain/src/a.ts', "import { b } from './b.ts'")
  write('domain/src/b.ts', "import { c } from './c.ts'")
  write('domain/src/c.ts', "import { a } from './a.ts'")
  write('domain/src/outside.ts', "import { a } from './a.ts'")
  expect(problems()).toEqual([expect.stringMatching(/^a circle of files: domain\/src\/[abc]\.ts → .* → .* → /)])
})

test('a package is declared, and a workspace is one of those allowed', () => {
  write('domain/src/text.ts', "import { rooms } from '@hypocaust/service'\nimport fastify from 'fastify'")
  write(
    'service/src/roles/ingest.ts',
    "import { readFileSync } from 'fs'\nimport { x } from '../../../domain/src/index.ts'",
  )
  expect(problems()).toEqual([
    'domain/src/text.ts: imports @hypocaust/service: domain may import only no workspace',
    'domain/src/text.ts: imports fastify: not among the dependencies of domain/package.json',
    'service/src/roles/ingest.ts: imports fs: write it with the node: prefix',
    'service/src/roles/ingest.ts: imports domain/src/index.ts: leaves its workspace; import the package instead',
  ])
})

test('a workspace without a rule is reported', () => {
  write('package.json', JSON.stringify({ workspaces: ['domain', 'service', 'robot'] }))
  expect(problems()).toEqual([expect.stringContaining('robot/: no rule says')])
})

test('every form of an import is seen', () => {
  const text = `import a from './a.ts'
import {
  b,
  c,
} from "./b.ts"
import type { D } from './d.ts'
import './e.ts'
export * from './f.ts'
export { g } from './g.ts'
const h = await import('./h.ts')
type I = typeof import('./i.ts')`
  expect(importsOf(text)).toEqual(['a', 'b', 'd', 'e', 'f', 'g', 'h', 'i'].map((name) => `./${name}.ts`))
})

test('a test must not import a helper from the tests of another workspace', () => {
  write('domain/test/patience.ts', '')
  write('service/test/rooms.test.ts', "import { patience } from '../../domain/test/patience.ts'")
  expect(problems()).toEqual([
    "service/test/rooms.test.ts: imports domain/test/patience.ts: what several workspaces' tests share belongs in testing/",
  ])
})

test('a workspace of tests reaches into the others, and has no circles either', () => {
  write('testing/src/world.ts', "import { rooms } from '../../service/src/house/rooms/rooms.ts'\nimport './clock.ts'")
  write('testing/src/clock.ts', '')
  expect(problems()).toEqual([])
  write('testing/src/clock.ts', "import './world.ts'")
  expect(problems()).toEqual([expect.stringContaining('a circle of files')])
})
