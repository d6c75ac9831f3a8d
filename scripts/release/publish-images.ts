// node scripts/release/publish-images.ts 1.2.0: pushes the images of release/ for all machines under one tag, and prints
// the name and digest of the product's own.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { APP_IMAGE } from './image.ts'
import { PUBLICATION } from './publication.ts'
import { releaseOf } from './release.ts'
import { ROOT, run } from './shell.ts'

const { version } = releaseOf(process.argv[2])
const folder = mkdtempSync(join(tmpdir(), 'hypocaust-digest-'))

async function publish(image: string, name: string): Promise<string> {
  const list = `${image}:${version}`
  await run('buildah', ['manifest', 'create', list])
  for (const architecture of ['amd64', 'arm64']) {
    const archive = join(ROOT, 'release', `${name}-${version}-${architecture}.oci.tar`)
    await run('buildah', ['manifest', 'add', list, `oci-archive:${archive}`])
  }
  const digest = join(folder, name)
  await run('buildah', ['manifest', 'push', '--all', '--digestfile', digest, list, `docker://${list}`])
  return readFileSync(digest, 'utf8').trim()
}

const digest = await publish(PUBLICATION.image, 'hypocaust')
await publish(APP_IMAGE, 'hypocaust-app')
rmSync(folder, { recursive: true })
console.log(`image=${PUBLICATION.image}\ndigest=${digest}`)
