import { join } from 'node:path'
import { PROGRAMS } from '../../scripts/release/programs.ts'

/** Names the folder of the bundle to the workers of a test run. */
export const BUNDLE_FOLDER = 'HYPOCAUST_TEST_BUNDLE'

export const isBundled = (): boolean => process.env[BUNDLE_FOLDER] !== undefined

/** The command's package as a release lays it out, made once for a test run. */
export function bundledPackage(): string {
  const folder = process.env[BUNDLE_FOLDER]
  if (!folder) throw new Error('the command is bundled by npm test only')
  return folder
}

/** The program of a command: from the bundle in a test run, else its source. */
export function programOf(command: keyof typeof PROGRAMS): string {
  const folder = process.env[BUNDLE_FOLDER]
  if (folder) return join(folder, 'dist/js', `${command}.js`)
  return join(import.meta.dirname, '../..', PROGRAMS[command])
}

/** Of a process under test: without the settings of this machine. */
export const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HYPOCAUST_')))
