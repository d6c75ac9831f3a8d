import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

const HERE = import.meta.dirname
export const PACKAGE = resolve(HERE, '..')
/** The package, its tests, and the stage that they share with those of the Home Assistant integration. */
export const PYTHON_PATHS = [join(PACKAGE, 'src'), HERE, resolve(HERE, '../../custom_components/test')].join(delimiter)

/** Says so where a program is missing, and does not let a build server skip anything. */
export function without(program: string): boolean {
  if (spawnSync(program, ['--version']).status === 0) return false
  if (process.env.CI === 'true') throw new Error(`${program} is not installed: apt-get install ${program}`)
  console.warn(`SKIPPED: ${program} is not installed, so a part of the Python client was not tested`)
  return true
}

export const examplesOfReadme = (): { title: string; code: string }[] =>
  [...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(/^## (.+?)$[^#]*?```python\n(.*?)```/gms)].map(
    ([, title = '', code = '']) => ({ title, code }),
  )
