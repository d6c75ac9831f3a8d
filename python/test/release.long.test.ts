import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { type Stage, setStage } from '@hypocaust/testing/python-stage.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { placeholdersIn } from '../../scripts/release/placeholders.ts'
import { BUILDERS, packPython } from '../../scripts/release/python.ts'
import { releaseOf } from '../../scripts/release/release.ts'
import { examplesOfReadme } from './package.ts'

const run = promisify(execFile)

// One try only: a mirror that has the packages may be asked after PyPI itself.
process.env.PIP_RETRIES = '0'

/** A machine without the internet cannot build a Python package. */
function withoutPyPI(): boolean {
  const folder = temporaryFolder()
  const args = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', folder.path, ...BUILDERS]
  const { status } = spawnSync('python3', args, { stdio: 'ignore' })
  folder.remove()
  if (status === 0) return false
  console.warn('SKIPPED: PyPI cannot be reached, so the Python package was not built')
  return true
}

describe.skipIf(withoutPyPI())('the Python package of a release', () => {
  const folder = temporaryFolder()
  const home = temporaryFolder()
  let files: string[]
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage()
    files = await packPython(folder.path, releaseOf('7.8.9-rc.1'))
  })
  afterAll(async () => {
    await stage.close()
    folder.remove()
    home.remove()
  })

  test('is a wheel and an archive of sources, both of the version of the release', () => {
    expect(files).toEqual(['hypocaust-7.8.9rc1-py3-none-any.whl', 'hypocaust-7.8.9rc1.tar.gz'])
  })

  test('has an installed wheel with the client, its types and its licence, and nothing else', async () => {
    const wheel = join(folder.path, files[0] ?? '')
    await run('python3', ['-m', 'pip', 'install', '--quiet', '--no-index', '--target', home.path, wheel])
    const listed = (path: string) => readdirSync(path).filter((name) => name !== '__pycache__')
    expect(listed(join(home.path, 'hypocaust'))).toEqual(listed(join(import.meta.dirname, '../src/hypocaust')))
    const about = join(home.path, 'hypocaust-7.8.9rc1.dist-info')
    expect(readdirSync(join(about, 'licenses'))).toEqual(['LICENSE'])
    const metadata = readFileSync(join(about, 'METADATA'), 'utf8')
    expect(metadata).toContain('License-Expression: Apache-2.0\n')
    expect(metadata).not.toContain('](../')
    expect(await placeholdersIn(folder.path)).toEqual([])

    const { url, writeKey } = JSON.parse(stage.env.HYPOCAUST_STAGE)
    const [{ code = '' } = {}] = examplesOfReadme()
    const read = await run('python3', ['-c', code.replace('http://127.0.0.1:8080', url).replace('hyp_…', writeKey)], {
      env: { ...process.env, PYTHONPATH: home.path },
    })
    expect(read.stdout).toContain('Lakeside 12 Bathroom')
  })
})
