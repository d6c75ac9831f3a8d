import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleCommand } from './bundle.ts'
import { noticesOf } from './notices.ts'
import { pack, ROOT } from './shell.ts'

/** The command with everything it needs, as one npm package: service, gateway agent with its profiles, website. */
export async function packCommand(destination: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-release-'))
  try {
    await layOutCommand(folder)
    return await pack(folder, destination)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The package as a folder: the bundle, the files it reads and those about it. The bundle lies as deep in the folder as the sources do in the repository, so that their
 * relative paths (`../../web/dist`) hold.
 */
export async function layOutCommand(folder: string): Promise<void> {
  const website = join(ROOT, 'web/dist')
  if (!existsSync(website)) throw new Error('web/dist is missing; run: npm run build -w web')
  const { modules } = await bundleCommand(join(folder, 'dist/js'))
  cpSync(website, join(folder, 'web/dist'), { recursive: true })
  cpSync(join(ROOT, 'gateway/profiles'), join(folder, 'profiles'), { recursive: true })
  mkdirSync(join(folder, 'bin'))
  cpSync(join(ROOT, 'cli/bin/hypocaust.js'), join(folder, 'bin/hypocaust.js'))
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  cpSync(join(ROOT, 'scripts/release/README.md'), join(folder, 'README.md'))
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), noticesOf(modules))
  writeManifests(folder)
}

function writeManifests(folder: string): void {
  const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'))
  const { name, version, license, type, bin, description } = read('cli/package.json')
  // A Node for each platform that there is one for, as here: npm installs the one that fits, without an install script.
  const { optionalDependencies } = read('package.json')
  const manifest = {
    ...{ name, version, description, license, type, bin },
    main: './dist/js/hypocaust.js',
    engines: { node: '>=20' },
    optionalDependencies,
    publishConfig: { access: 'public' },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(join(folder, 'dist/package.json'), `${JSON.stringify({ type, version }, null, 2)}\n`)
}
