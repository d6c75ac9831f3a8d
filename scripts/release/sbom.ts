import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { licenceProblems } from '../licences.ts'
import { nodeVersion } from './node.ts'
import type { Package } from './notices.ts'
import type { Release } from './release.ts'

/** Writes the parts of a file of the release beside it (CycloneDX), and refuses licences that may not be shipped. */
export function writeSbom(folder: string, file: string, { version, commit }: Release, parts: Package[]): void {
  const bytes = readFileSync(join(folder, file))
  const components = [...parts.map(componentOf), ...nodeIn(file)]
  const problems = licenceProblems({ components })
  if (problems.length > 0)
    throw new Error(`${file} has parts whose licence is not on the list:\n${problems.join('\n')}`)
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        name: file,
        version,
        hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(bytes).digest('hex') }],
        properties: [{ name: 'commit', value: commit }],
      },
    },
    components,
  }
  writeFileSync(join(folder, `${file}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`)
}

export const componentOf = ({ name, version, license }: Omit<Package, 'texts'>) => ({
  type: 'library',
  name,
  version,
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  licenses: [{ expression: license }],
})

/** Images and one of the Debian packages bring Node. */
const nodeIn = (file: string) =>
  /oci\.tar$|^hypocaust-node_/.test(file)
    ? [
        {
          type: 'application',
          name: 'node',
          version: nodeVersion(file.includes('arm64') ? 'arm64' : 'amd64'),
          licenses: [{ expression: 'MIT' }],
        },
      ]
    : []
