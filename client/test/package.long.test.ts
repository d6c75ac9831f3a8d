import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { listeningWorld } from '@hypocaust/testing/client.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const CLIENT = resolve(import.meta.dirname, '..')
const TSC = resolve(CLIENT, '../node_modules/typescript/bin/tsc')

let folder: string
let packed: string[]
let world: World & { url: string }

/** What a stranger gets: packed, unpacked into a project of its own, and compiled against. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hypocaust-client-'))
  world = await listeningWorld()
  await run(process.execPath, [join(CLIENT, 'scripts/build.ts')])
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: join(CLIENT, 'dist') })
  const [pack] = Object.values(JSON.parse(stdout)) as { filename: string; files: { path: string }[] }[]
  packed = pack?.files.map(({ path }) => path) ?? []
  const home = join(folder, 'node_modules/@hypocaust/client')
  mkdirSync(home, { recursive: true })
  await run('tar', ['xzf', join(folder, pack?.filename ?? ''), '-C', home, '--strip-components=1'])
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

const examples = [
  ...readFileSync(join(CLIENT, 'README.md'), 'utf8').matchAll(/^## (.+?)$[^#]*?```ts\n(.*?)```/gms),
].map(([, title = '', code = '']) => ({ title, code }))

const EXPECTED: Record<string, RegExp> = {
  Read: /^Lakeside 12 Bathroom no reading → 20\nLakeside 12 Living room no reading → 20\n$/,
  'Change a room': /^Bathroom 22.5 low\n$/,
  'For a while': /^Bathroom 24 override \d{4}-\S+Z \S+\n$/,
  'The past': /^28[89] null\nnull null Bathroom null, Living room null\n$/,
  Follow: /^Bathroom 0 %, Living room 0 %\n$/,
  'When it fails': /^The key is not valid \(any more\)\.\n$/,
}

describe('the package', () => {
  test('holds code, types, README and licence, and nothing else', () => {
    const modules = [
      'client',
      'error',
      'events',
      'generated/required-fields',
      'generated/types',
      'index',
      'retry',
      'shape',
      'times',
      'transport',
      'watch',
    ]
    const files = modules.flatMap((name) => [`${name}.js`, `${name}.d.ts`])
    const commonJs = [...files, 'package.json'].map((name) => `cjs/${name}`)
    expect(packed.sort()).toEqual([...files, ...commonJs, 'LICENSE', 'README.md', 'package.json'].sort())
  })

  test('is loaded by require(), with its types', async () => {
    const code = `import hypocaust = require('@hypocaust/client')
const client: hypocaust.HypocaustClient = new hypocaust.HypocaustClient({ baseUrl: '${world.url}', apiKey: '${world.holder.readKey}' })
const options: hypocaust.CallOptions = {}
client.getKey(options).then(({ permission }: hypocaust.Key) => console.log(permission))
`
    writeFileSync(join(folder, 'loader.cts'), code)
    const flags = ['--strict', '--target', 'es2023', '--lib', 'es2023,dom', '--types', '', '--ignoreConfig']
    await run(process.execPath, [TSC, ...flags, '--module', 'nodenext', 'loader.cts'], { cwd: folder })
    const { stdout } = await run(process.execPath, ['loader.cjs'], { cwd: folder })
    expect(stdout).toBe('read\n')
  })

  test('needs no other package, and names nothing of this repository', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/@hypocaust/client/package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: '@hypocaust/client', license: 'Apache-2.0', type: 'module' })
    for (const field of ['dependencies', 'peerDependencies', 'scripts', 'private'])
      expect(manifest).not.toHaveProperty(field)
  })
})

describe('the README', () => {
  test('has an example for each thing it promises', () => {
    expect(examples.map(({ title }) => title)).toEqual(Object.keys(EXPECTED))
  })

  test('its examples compile strictly against the package', async () => {
    for (const [i, { code }] of examples.entries()) {
      const here = code.replace('http://127.0.0.1:8080', world.url).replace('hyp_…', world.holder.writeKey)
      writeFileSync(join(folder, `example-${i}.ts`), here)
    }
    const files = examples.map((_, i) => join(folder, `example-${i}.ts`))
    const flags = ['--noEmit', '--strict', '--target', 'esnext', '--module', 'nodenext', '--lib', 'esnext,dom']
    await run(process.execPath, [TSC, '--ignoreConfig', ...flags, '--types', '', ...files], { cwd: folder })
  })

  test.each(examples.map(({ title }, i) => [title, i] as const))(
    'its example "%s" does what it says',
    async (title, i) => {
      const { stdout } = await run(process.execPath, [join(folder, `example-${i}.ts`)])
      expect(stdout).toMatch(EXPECTED[title] as RegExp)
    },
  )
})
