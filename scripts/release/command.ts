import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundlePrograms } from './bundle.ts'
import { noticesOf, type Package, packagesOf, partsOfWebsite, together } from './notices.ts'
import { PROGRAMS } from './programs.ts'
import { REPOSITORY_URL } from './publication.ts'
import { type Release, releaseOf } from './release.ts'
import { pack, ROOT } from './shell.ts'

/** The command with everything it needs, as one npm package: service, gateway agent with its profiles, website. */
export async function packCommand(destination: string, release: Release): Promise<{ file: string; parts: Package[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-release-'))
  try {
    const parts = await layOutCommand(folder, release)
    return { file: await pack(folder, destination), parts }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The package as a folder: the bundle, the files it reads and those about it. The bundle lies as deep in the folder as
 * the sources do in the repository, so that their relative paths (`../../web/dist`) hold.
 */
export async function layOutCommand(folder: string, release: Release = releaseOf()): Promise<Package[]> {
  const website = join(ROOT, 'web/dist')
  if (!existsSync(website)) throw new Error('web/dist is missing; run: npm run build -w web')
  const parts = await layOut(folder, release, PROGRAMS, partsOfWebsite())
  cpSync(website, join(folder, 'web/dist'), { recursive: true })
  mkdirSync(join(folder, 'bin'))
  cpSync(join(ROOT, 'cli/bin/hypocaust.js'), join(folder, 'bin/hypocaust.js'))
  cpSync(join(ROOT, 'scripts/release/README.md'), join(folder, 'README.md'))
  return parts
}

/** The agent alone, for a machine that runs nothing else. */
export const layOutGateway = (folder: string, release: Release): Promise<Package[]> =>
  layOut(folder, release, { gateway: PROGRAMS.gateway })

async function layOut(
  folder: string,
  release: Release,
  programs: Record<string, string>,
  others: Package[] = [],
): Promise<Package[]> {
  const { modules } = await bundlePrograms(join(folder, 'dist/js'), programs)
  const parts = together(packagesOf(modules), others)
  cpSync(join(ROOT, 'gateway/profiles'), join(folder, 'profiles'), { recursive: true })
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), noticesOf(parts))
  writeManifests(folder, release)
  return parts
}

function writeManifests(folder: string, release: Release): void {
  const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'))
  const { name, license, type, bin, description } = read('cli/package.json')
  // A Node for each platform that there is one for, as here: npm installs the one that fits, without an install script.
  const { optionalDependencies } = read('package.json')
  const manifest = {
    ...{ name, ...release, description, license, type, bin },
    repository: `git+${REPOSITORY_URL}.git`,
    main: './dist/js/hypocaust.js',
    engines: { node: '>=20' },
    optionalDependencies,
    publishConfig: { access: 'public' },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(join(folder, 'dist/package.json'), `${JSON.stringify({ type, ...release }, null, 2)}\n`)
}
