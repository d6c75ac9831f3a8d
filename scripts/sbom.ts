// Writes the list of everything the product is made of (CycloneDX, by npm's own command), and checks the licences.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { licenceCounts, licenceProblems, type Sbom } from './licences.ts'

const file = resolve(process.argv[2] ?? 'dist/sbom.cdx.json')
const options = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev']
const text = execFileSync('npm', options, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: [0, 'pipe', 2] })
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, text)

const sbom: Sbom = JSON.parse(text)
console.log(`${file}: ${sbom.components.length} components`)
for (const [licence, count] of licenceCounts(sbom)) console.log(`${String(count).padStart(6)}  ${licence}`)
const problems = licenceProblems(sbom)
if (problems.length > 0) {
  console.error(`These licences are not on the list in scripts/licences.ts:\n${problems.join('\n')}`)
  process.exitCode = 1
}
