import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { licenceProblems } from '../../scripts/licences.ts'

const part = (name: string, ...licenses: ({ license: { id: string } } | { expression: string })[]) => ({
  name,
  version: '1.0.0',
  licenses,
})

test('every part of the product is listed, with a licence that may be shipped', () => {
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
