import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { examplesOfReadme, PACKAGE, PYTHON_PATHS, without } from './package.ts'

const run = promisify(execFile)

test.skipIf(without('mypy'))(
  'the Python client, its examples and its tests are typed, in the eyes of mypy',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hypocaust-python-'))
    try {
      const examples = examplesOfReadme().map(({ code }, i) => {
        const file = join(folder, `example_${i}.py`)
        writeFileSync(file, code)
        return file
      })
      const flags = ['--strict', '--config-file', 'pyproject.toml', '--cache-dir', join(folder, 'cache')]
      const options = { cwd: PACKAGE, env: { ...process.env, MYPYPATH: PYTHON_PATHS } }
      const { stdout } = await run('mypy', [...flags, 'src', 'test', ...examples], options).catch((error) => error)
      expect(stdout).toMatch(/^Success: no issues found in \d+ source files\n$/)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
