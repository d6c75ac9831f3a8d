// npm run release -- 1.2.0: everything that a release consists of, in release/. Flags: --only npm,python,deb,image,home-assistant
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { layOutAppRepository } from './app-repository.ts'
import { writeChecksums } from './checksums.ts'
import { packClient } from './client.ts'
import { packCommand } from './command.ts'
import { buildDebs } from './debian.ts'
import { zipForHacs, zipIntegration } from './home-assistant.ts'
import { buildImages } from './image.ts'
import { ARCHITECTURES } from './node.ts'
import { notesOf } from './notes.ts'
import type { Package } from './notices.ts'
import { placeholdersIn } from './placeholders.ts'
import { packProviderFiles, placeHouseFiles } from './plain-files.ts'
import { packPython } from './python.ts'
import { releaseOf } from './release.ts'
import { writeSbom } from './sbom.ts'
import { ROOT, run } from './shell.ts'
import { checkTools, KINDS, type Kind } from './tools.ts'

const FOLDER = join(ROOT, 'release')

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } })
const kinds = (values.only?.split(',') ?? KINDS) as Kind[]
const unknown = kinds.find((kind) => !KINDS.includes(kind))
if (unknown) throw new Error(`--only takes some of ${KINDS.join(',')}; ${unknown} is none of them`)
const release = releaseOf(positionals[0])
checkTools(kinds)

rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER)
await run('npm', ['run', 'build', '-w', 'web'])
const listed = (file: string, parts: Package[]) => writeSbom(FOLDER, file, release, parts)

if (kinds.includes('npm')) {
  listed(await packClient(FOLDER, release), [])
  const { file, parts } = await packCommand(FOLDER, release)
  listed(file, parts)
}
if (kinds.includes('python')) for (const file of await packPython(FOLDER, release)) listed(file, [])
if (kinds.includes('home-assistant')) {
  listed(zipIntegration(FOLDER, release), [])
  listed(zipForHacs(FOLDER, release), [])
  layOutAppRepository(join(FOLDER, 'home-assistant-apps'), release)
}
if (kinds.includes('deb'))
  for (const { file, parts } of await buildDebs(FOLDER, release, ARCHITECTURES)) listed(file, parts)
if (kinds.includes('image'))
  for (const architecture of ARCHITECTURES) {
    const { files, parts } = await buildImages(FOLDER, release, architecture)
    for (const file of files) listed(file, parts)
  }
placeHouseFiles(FOLDER, release)
await packProviderFiles(FOLDER, release)
writeFileSync(join(FOLDER, 'NOTES.md'), notesOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), release.version))

const placeholders = await placeholdersIn(FOLDER)
if (placeholders.length > 0)
  throw new Error(`the release names addresses that exist nowhere:\n${placeholders.join('\n')}`)
writeChecksums(FOLDER)
console.log(`release/ of version ${release.version} (commit ${release.commit}, ${release.date}):`)
for (const name of readdirSync(FOLDER).filter((each) => !each.endsWith('.cdx.json'))) {
  console.log(`  ${name}  ${(statSync(join(FOLDER, name)).size / 1e6).toFixed(2)} MB`)
}
