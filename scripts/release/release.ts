import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './shell.ts'

/** What every part of a release says of itself. */
export interface Release {
  version: string
  commit: string
  /** Of the commit, YYYY-MM-DD. */
  date: string
}

const SEMANTIC = /^\d+\.\d+\.\d+(-[0-9a-z]+(\.[0-9a-z]+)*)?$/

export function releaseOf(version: string = sourceVersion()): Release {
  if (!SEMANTIC.test(version)) throw new Error(`${version} is not a semantic version such as 1.2.0 or 1.2.0-rc.1`)
  return { version, commit: git('%h'), date: git('%cs') }
}

/** Of a folder without history nothing more is known. */
function git(format: string): string {
  try {
    return execFileSync('git', ['show', '--no-patch', `--format=${format}`], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'unknown'
  }
}

const sourceVersion = (): string => JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version
