import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { layOutCommand } from './command.ts'
import { type Architecture, placeNode } from './node.ts'
import type { Package } from './notices.ts'
import { PUBLICATION, REPOSITORY_URL } from './publication.ts'
import type { Release } from './release.ts'
import { ROOT, run } from './shell.ts'

/** What Node needs of a system, and an init. No shell: nothing in the image could use one. */
const DEBIAN_PACKAGES = ['base-files', 'libc6', 'libgcc-s1', 'libstdc++6', 'libatomic1', 'tini']
const SUITE = 'bookworm'
/** Of no use to Node, which brings its own character sets and languages. */
const UNUSED = ['usr/lib/*/gconv', 'usr/share/locale', 'usr/share/man', 'usr/share/lintian', 'usr/share/doc/*/*.gz']

export const APP_IMAGE = `${PUBLICATION.image}-app`

/** Packs the root of the image, `rootfs-ARCHITECTURE.tar` in a folder; scripts of packages are not run, so any machine can. */
async function packRoot(folder: string, release: Release, architecture: Architecture): Promise<Package[]> {
  const root = join(folder, `rootfs-${architecture}`)
  mkdirSync(root, { recursive: true })
  await run('mmdebstrap', [
    ...['--variant=extract', `--architectures=${architecture}`, `--include=${DEBIAN_PACKAGES.join(',')}`],
    ...['--quiet', SUITE, root],
  ])
  await run('sh', ['-c', `cd "$1" && rm -rf ${UNUSED.join(' ')} && rm -rf var/cache var/lib/apt etc/apt`, 'sh', root])
  const library = join(root, 'usr/lib/hypocaust')
  const parts = await layOutCommand(library, release)
  for (const name of ['bin', 'README.md']) rmSync(join(library, name), { recursive: true })
  await placeNode(architecture, join(library, 'node'), join(library, 'NODE-LICENSE'))
  cpSync(join(ROOT, 'deploy/debian/hypocaust.js'), join(root, 'usr/bin/hypocaust'))
  writeFileSync(join(root, 'etc/passwd'), PASSWD)
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nhypocaust:x:1000:\n')
  await run('chmod', ['-R', 'u=rwX,go=rX', root])
  await run('install', ['-d', '-m', '1777', join(root, 'tmp')])
  // A new volume begins with these folders and their owner.
  for (const name of ['', 'service', 'gateway'])
    await run('install', ['-d', '-o', '1000', '-g', '1000', '-m', '700', join(root, 'var/lib/hypocaust', name)])
  // An archive keeps the owners, which COPY would not.
  await run('tar', ['--sort=name', '--numeric-owner', '-cf', `${root}.tar`, '-C', root, '.'])
  rmSync(root, { recursive: true })
  return parts
}

const PASSWD = 'root:x:0:0:root:/root:/usr/sbin/nologin\nhypocaust:x:1000:1000::/var/lib/hypocaust:/usr/sbin/nologin\n'

/** Builds the image and Home Assistant's on top of it, and writes both as OCI archives. */
export async function buildImages(
  destination: string,
  release: Release,
  architecture: Architecture,
): Promise<{ files: string[]; parts: Package[] }> {
  const context = mkdtempSync(join(tmpdir(), 'hypocaust-image-'))
  try {
    const parts = await packRoot(context, release, architecture)
    // Local names; scripts/release/publish-images.ts joins the machines under one tag.
    const image = `${PUBLICATION.image}:${release.version}-${architecture}`
    const values = {
      TARGETARCH: architecture,
      VERSION: release.version,
      REVISION: release.commit,
      SOURCE: REPOSITORY_URL,
    }
    await buildah(context, architecture, 'deploy/Dockerfile', image, values)
    const app = `${APP_IMAGE}:${release.version}-${architecture}`
    await buildah(context, architecture, 'deploy/home-assistant-app/Dockerfile', app, { IMAGE: image })
    const files = [
      `hypocaust-${release.version}-${architecture}.oci.tar`,
      `hypocaust-app-${release.version}-${architecture}.oci.tar`,
    ]
    await run('buildah', ['push', '--quiet', image, `oci-archive:${join(destination, files[0] ?? '')}:${image}`])
    await run('buildah', ['push', '--quiet', app, `oci-archive:${join(destination, files[1] ?? '')}:${app}`])
    return { files, parts }
  } finally {
    rmSync(context, { recursive: true, force: true })
  }
}

async function buildah(
  context: string,
  architecture: Architecture,
  file: string,
  image: string,
  values: Record<string, string>,
): Promise<void> {
  const given = Object.entries(values).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`])
  const options = ['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--arch', architecture, '--quiet']
  await run('buildah', ['build', ...options, ...given, '--file', join(ROOT, file), '--tag', image, context])
}
