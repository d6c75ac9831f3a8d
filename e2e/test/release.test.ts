import { execFile, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundledPackage } from '@hypocaust/testing/program-of.ts'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findProgram, inPath } from '../../scripts/programs.ts'
import { packClient } from '../../scripts/release/client.ts'
import { zipIntegration } from '../../scripts/release/home-assistant.ts'
import { pack, ROOT } from '../../scripts/release/shell.ts'

/** The machine's own Node, without the one that npm puts before it. */
const PATH = inPath().filter((folder) => !folder.includes('node_modules'))
const plainNode = findProgram(['node'], PATH)
const isNewEnough =
  plainNode !== undefined && /^v(2[6-9]|[3-9]\d)/.test(execFileSync(plainNode, ['--version'], { encoding: 'utf8' }))
const ENV = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(HYPOCAUST_|NODE_|npm_)/.test(name))),
  PATH: PATH.join(':'),
}

const folder = mkdtempSync(join(tmpdir(), 'hypocaust-release-test-'))
const home = join(folder, 'home')
const run = (program: string, args: string[]) => promisify(execFile)(program, args, { cwd: home, env: ENV })
const command = join(home, 'node_modules/.bin/hypocaust')

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(!plainNode)('a release, installed in an empty folder under the Node of the machine', () => {
  beforeAll(async () => {
    mkdirSync(home)
    const packages = [await packClient(folder), await pack(bundledPackage(), folder)].map((name) => join(folder, name))
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...packages, nodePackage()])
  })

  test('the client package holds compiled code and its types only', () => {
    const files = readdirSync(join(home, 'node_modules/@hypocaust/client'), { recursive: true, encoding: 'utf8' })
    const others = files.filter((name) => !/\.(js|d\.ts)$/.test(name)).sort()
    const folders = ['cjs', 'cjs/generated', 'generated']
    expect(others).toEqual([...folders, 'LICENSE', 'README.md', 'cjs/package.json', 'package.json'].sort())
  })

  test('the command lists its commands', async () => {
    const { stdout } = await run(command, ['--help'])
    expect(stdout).toMatch(/^Usage: hypocaust/)
    for (const name of ['serve', 'demo', 'gateway', 'matter', 'doctor']) expect(stdout).toContain(`\n  ${name}`)
    expect((await run(command, ['gateway', 'run', '--help'])).stdout).toContain('--config')
  })

  test('the gateway agent has its profiles', async () => {
    const message = ['zigbee2mqtt/0x00158d0001a2b3c4', '{"temperature":22.41,"last_seen":"2026-01-10T08:00:00Z"}']
    const { stdout } = await run(command, ['gateway', 'read', '--json', ...message])
    expect(JSON.parse(stdout)).toMatchObject({ readings: [{ temperature: 22.41 }] })
  })

  test('the bundle is ASCII, so that Node keeps it at one byte a character', () => {
    const files = readdirSync(join(bundledPackage(), 'dist/js')).map((name) => join(bundledPackage(), 'dist/js', name))
    expect(files.filter((file) => readFileSync(file).some((byte) => byte > 127))).toEqual([])
  })

  test('the command carries the licences of the packages in its bundle', () => {
    const notices = readFileSync(join(home, 'node_modules/hypocaust/THIRD-PARTY-NOTICES.txt'), 'utf8')
    for (const name of ['fastify', 'better-auth', '@matter/main', 'mqtt']) expect(notices).toContain(`\n${name} `)
  })

  test("the demo runs with its website, and the first example of the client's README reads its rooms", async () => {
    const demo = spawn(command, ['demo', '--port', '0', '--mqtt-port', '0', '--log-level', 'error'], {
      cwd: home,
      env: ENV,
    })
    try {
      const { url, key } = await greetingOf(demo.stdout)
      expect(await (await fetch(url)).text()).toContain('<title>Hypocaust</title>')
      expect(await (await fetch(`${url}/health/ready`)).json()).toMatchObject({ status: 'ok' })

      const readme = readFileSync(join(home, 'node_modules/@hypocaust/client/README.md'), 'utf8')
      const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []
      writeFileSync(join(home, 'example.mjs'), example.replace('http://127.0.0.1:8080', url).replace('hyp_…', key))
      const { stdout } = await run(plainNode as string, ['example.mjs'])
      expect(stdout.trim().split('\n')).toHaveLength(6)
      expect(stdout).toMatch(/Bathroom \d+(\.\d+)? → \d+/)
    } finally {
      demo.kill('SIGTERM')
    }
    expect(await new Promise((resolve) => demo.on('exit', resolve))).toBe(0)
  })

  test.skipIf(isNewEnough)('without a Node that is new enough the command names the one it needs', async () => {
    rmSync(join(home, 'node_modules', NODE_PACKAGE))
    const failure = await run(command, ['--help']).catch((error) => error)
    expect(failure.code).toBe(1)
    expect(failure.stderr).toMatch(/^hypocaust: Node 26 or newer is needed, and this is v\d+/)
  })
})

test('the Home Assistant zip holds the integration, as it is unpacked beside the configuration', () => {
  mkdirSync(join(folder, 'zip'))
  const files = unzipSync(readFileSync(join(folder, 'zip', zipIntegration(join(folder, 'zip')))))
  const manifest = files['custom_components/hypocaust/manifest.json']
  expect(JSON.parse(new TextDecoder().decode(manifest))).toMatchObject({ domain: 'hypocaust', version: '0.1.0' })
  expect(Object.keys(files)).toContain('custom_components/hypocaust/translations/de.json')
  expect(Object.keys(files).filter((name) => /test|pyc/.test(name))).toEqual([])
})

const NODE_PACKAGE = `node-${process.platform}-${process.arch}`

/** Stands for the 50 MB that npm would download: a package of the same name and version with the same Node. */
function nodePackage(): string {
  const place = join(folder, NODE_PACKAGE)
  mkdirSync(join(place, 'bin'), { recursive: true })
  symlinkSync(process.execPath, join(place, 'bin/node'))
  const version = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).dependencies.node
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name: NODE_PACKAGE, version, bin: { node: 'bin/node' } }))
  return place
}

/** Where the demo listens and the key that reads it, from what it prints. */
function greetingOf(stdout: NodeJS.ReadableStream): Promise<{ url: string; key: string }> {
  return new Promise((resolve, reject) => {
    let text = ''
    stdout.on('data', (chunk) => {
      text += chunk
      const [, url] = /listening on (\S+)/.exec(text) ?? []
      const [key] = /hyp_\w{38}/.exec(text) ?? []
      if (url && key) resolve({ url, key })
    })
    stdout.on('end', () => reject(new Error(`the demo ended: ${text}`)))
  })
}
