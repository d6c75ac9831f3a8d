import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withFullLinks } from './publication.ts'
import { type Release, releaseOf } from './release.ts'
import { pack, ROOT, run } from './shell.ts'

/** The client compiled for any Node and browser, with its types. */
export async function packClient(destination: string, { version }: Release = releaseOf()): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-client-'))
  try {
    await run(process.execPath, [join(ROOT, 'client/scripts/build.ts'), folder, version])
    const readme = join(folder, 'README.md')
    writeFileSync(readme, withFullLinks(readFileSync(readme, 'utf8')))
    return await pack(folder, destination)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
