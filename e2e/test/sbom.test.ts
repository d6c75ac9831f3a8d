import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { licenceProblems } from '../../scripts/licences.ts'

interface Installed {
  name: string
  version: string
}

/** What the workspaces need to run, and what that needs, as Node finds it. */
function needed(root: string): Installed[] {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const found = new Map<string, Installed>()
  const visit = (folder: string) => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    for (const name of Object.keys(dependencies)) {
      const home = installed(folder, name)
      if (!home?.includes('node_modules') || found.has(home)) continue
      const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
      found.set(home, { name, version })
      visit(home)
    }
  }
  for (const workspace of workspaces) visit(join(root, workspace))
  return [...found.values()]
}

function installed(from: string, name: string): string | undefined {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const home = join(folder, 'node_modules', name)
    if (existsSync(home)) return realpathSync(home)
  }
  return undefined
}

const part = (name: string, ...licenses: ({ license: { id: string } } | { expression: string })[]) => ({
  name,
  version: '1.0.0',
  licenses,
})

test('every part that the product needs to run is listed, with a licence that may be shipped', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-sbom-'))
  const file = join(folder, 'sbom.json')
  const root = join(import.meta.dirname, '../..')
  execFileSync(process.execPath, [join(root, 'scripts/sbom.ts'), file], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const sbom = JSON.parse(readFileSync(file, 'utf8'))
  expect(sbom.bomFormat).toBe('CycloneDX')
  const names = sbom.components.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['fastify', 'mqtt', 'kysely', 'pg', 'aedes', 'react']))
  expect(names).not.toContain('vitest')
  const listed = new Set(sbom.components.map(({ name, version }: Installed) => `${name}@${version}`))
  const missing = needed(root).filter(({ name, version }) => !listed.has(`${name}@${version}`))
  expect(missing).toEqual([])
  rmSync(folder, { recursive: true })
})

test('a licence that is missing, unknown or not to be shipped is found', () => {
  const components = [
    part('fine', { license: { id: 'MIT' } }),
    part('choice', { expression: '(GPL-3.0-only OR MIT)' }),
    part('both', { expression: '(GPL-3.0-only AND MIT)' }),
    part('copyleft', { license: { id: 'AGPL-3.0-only' } }),
    part('silent'),
  ]
  expect(licenceProblems({ components })).toEqual([
    'both 1.0.0: (GPL-3.0-only AND MIT)',
    'copyleft 1.0.0: AGPL-3.0-only',
    'silent 1.0.0: no licence named',
  ])
})
