import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Zippable, zipSync } from 'fflate'
import { ROOT } from './shell.ts'

const INTEGRATION = join(ROOT, 'custom_components/hypocaust')
/** The same files make the same zip, whenever it is built. */
const DATE = '2026-01-01T00:00:00Z'

/** Where in a repository Home Assistant's links lead. */
export const DOCUMENTATION = 'docs/home-assistant.md'

/**
 * The integration with its folder, to be unpacked in Home Assistant's configuration folder. Its links lead into the
 * repository it is published from, such as `https://forge.example/heating/hypocaust`.
 */
export function zipIntegration(destination: string, repository?: string): string {
  const manifest = JSON.parse(readFileSync(join(INTEGRATION, 'manifest.json'), 'utf8'))
  const files: Zippable = {}
  for (const name of integrationFiles()) {
    files[`custom_components/hypocaust/${name}`] = [readFileSync(join(INTEGRATION, name)), { mtime: DATE }]
  }
  if (repository !== undefined) {
    const links = { documentation: `${repository}/blob/main/${DOCUMENTATION}`, issue_tracker: `${repository}/issues` }
    const text = `${JSON.stringify({ ...manifest, ...links }, null, 2)}\n`
    files['custom_components/hypocaust/manifest.json'] = [Buffer.from(text), { mtime: DATE }]
  }
  const zip = `hypocaust-home-assistant-${manifest.version}.zip`
  writeFileSync(join(destination, zip), zipSync(files))
  return zip
}

const integrationFiles = (): string[] =>
  readdirSync(INTEGRATION, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('__pycache__'))
    .map((entry) => join(entry.parentPath, entry.name).slice(INTEGRATION.length + 1))
    .sort()
