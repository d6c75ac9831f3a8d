import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Zippable, zipSync } from 'fflate'
import { PUBLICATION, pageUrl, REPOSITORY_URL } from './publication.ts'
import { type Release, releaseOf } from './release.ts'
import { ROOT } from './shell.ts'

const INTEGRATION = join(ROOT, 'custom_components/hypocaust')
/** The same files make the same zip, whenever it is built. */
const DATE = '2026-01-01T00:00:00Z'
/** `filename` of hacs.json: HACS downloads it from a release and unpacks it into custom_components/hypocaust. */
export const HACS_FILE = 'hypocaust-hacs.zip'

/** Where in the repository Home Assistant's links lead. */
export const DOCUMENTATION = 'docs/home-assistant.md'

/** The integration with its folder, to be unpacked in Home Assistant's configuration folder. */
export function zipIntegration(destination: string, release: Release = releaseOf()): string {
  const zip = `hypocaust-home-assistant-${release.version}.zip`
  writeFileSync(join(destination, zip), zipSync(integration(release, 'custom_components/hypocaust/')))
  return zip
}

/** The same files without a folder, as HACS expects them of a release (`zip_release`). */
export function zipForHacs(destination: string, release: Release = releaseOf()): string {
  writeFileSync(join(destination, HACS_FILE), zipSync(integration(release, '')))
  return HACS_FILE
}

function integration(release: Release, below: string): Zippable {
  const files: Zippable = {}
  for (const name of integrationFiles()) files[below + name] = [readFileSync(join(INTEGRATION, name)), { mtime: DATE }]
  files[`${below}LICENSE`] = [readFileSync(join(ROOT, 'LICENSE')), { mtime: DATE }]
  files[`${below}manifest.json`] = [Buffer.from(manifestOf(release)), { mtime: DATE }]
  return files
}

/** With the version of the release, and links into the repository it is published from. */
function manifestOf({ version }: Release): string {
  const manifest = JSON.parse(readFileSync(join(INTEGRATION, 'manifest.json'), 'utf8'))
  const published = {
    ...manifest,
    codeowners: [`@${PUBLICATION.owner}`],
    documentation: pageUrl(DOCUMENTATION),
    issue_tracker: `${REPOSITORY_URL}/issues`,
    version,
  }
  return `${JSON.stringify(published, null, 2)}\n`
}

const integrationFiles = (): string[] =>
  readdirSync(INTEGRATION, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('__pycache__'))
    .map((entry) => join(entry.parentPath, entry.name).slice(INTEGRATION.length + 1))
    .sort()
