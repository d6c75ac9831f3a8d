// Writes the list of everything the product is made of (CycloneDX), on any platform, and checks the licences. npm's own
// command leaves out parts that a tool of the developers needs too.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { licenceCounts, licenceProblems } from './licences.ts'
import { componentOf } from './release/sbom.ts'

interface Locked {
  name?: string
  version: string
  license?: string
  dev?: boolean
  devOptional?: boolean
  link?: boolean
}

const root = join(import.meta.dirname, '..')
const file = resolve(process.argv[2] ?? 'dist/sbom.cdx.json')
const { packages }: { packages: Record<string, Locked> } = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
)
const components = Object.entries(packages)
  .filter(([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link)
  .map(([path, { name, version, license }]) =>
    componentOf({ name: name ?? path.replace(/^.*node_modules\//, ''), version, license: license ?? '' }),
  )
const sbom = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, components }
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`)

console.log(`${file}: ${components.length} components`)
for (const [licence, count] of licenceCounts(sbom)) console.log(`${String(count).padStart(6)}  ${licence}`)
const problems = licenceProblems(sbom)
if (problems.length > 0) {
  console.error(`These licences are not on the list in scripts/licences.ts:\n${problems.join('\n')}`)
  process.exitCode = 1
}
