import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { layOutCommand } from '../../scripts/release/command.ts'

const FOLDER = 'HYPOCAUST_TEST_BUNDLE'

/** Bundles the commands once for the whole run: a process then starts in a quarter of the time. */
export default async function setup(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-bundle-'))
  await layOutCommand(folder)
  // Workers start with this process's environment.
  process.env[FOLDER] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

/** The program of a command: from the bundle in a test run, else its source. */
export const programOf = (command: 'hypocaust' | 'gateway'): string => {
  const folder = process.env[FOLDER]
  if (folder) return join(folder, 'dist/js', `${command}.js`)
  return join(import.meta.dirname, '../..', command === 'gateway' ? 'gateway' : 'cli', 'src/main.ts')
}

/** Compiled code, kept between the many starts. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(process.env[FOLDER] ?? tmpdir(), 'compile-cache') }
