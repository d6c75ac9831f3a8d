import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withFullLinks } from './publication.ts'
import { type Release, releaseOf } from './release.ts'
import { ROOT, run } from './shell.ts'

/** What builds the packages, in an environment of its own. */
export const BUILDERS = ['build==1.6.1', 'setuptools==84.0.0']

/** The Python client as PyPI takes it: a wheel, and its sources as an archive. */
export async function packPython(destination: string, release: Release = releaseOf()): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-python-'))
  try {
    const [sources, built, builder] = ['sources', 'built', 'builder'].map((name) => join(folder, name)) as Triple
    layOutSources(sources, release)
    await run('python3', ['-m', 'venv', builder])
    const python = join(builder, 'bin/python')
    await run(python, ['-m', 'pip', 'install', '--quiet', ...BUILDERS])
    await run(python, ['-m', 'build', '--no-isolation', '--outdir', built, sources])
    cpSync(built, destination, { recursive: true })
    return readdirSync(built).sort()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Triple = [string, string, string]

function layOutSources(folder: string, { version }: Release): void {
  const from = join(ROOT, 'python')
  mkdirSync(folder)
  cpSync(join(from, 'src'), join(folder, 'src'), {
    recursive: true,
    filter: (file) => !/__pycache__|\.egg-info$/.test(file),
  })
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  const project = readFileSync(join(from, 'pyproject.toml'), 'utf8')
  writeFileSync(join(folder, 'pyproject.toml'), project.replace(/^version = .*$/m, `version = "${version}"`))
  writeFileSync(join(folder, 'README.md'), withFullLinks(readFileSync(join(from, 'README.md'), 'utf8')))
}
