import { readFileSync } from 'node:fs'

interface Manifest {
  version: string
  /** Of a release: what it was built from. */
  commit?: string
  date?: string
}

const manifest: Manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

export const VERSION = manifest.version

export const IS_RELEASED = manifest.commit !== undefined

/** With the commit and date of a release, as `hypocaust --version` prints it. */
export const WHOLE_VERSION =
  manifest.commit === undefined
    ? `${VERSION} (from sources)`
    : `${VERSION} (commit ${manifest.commit}, ${manifest.date})`
