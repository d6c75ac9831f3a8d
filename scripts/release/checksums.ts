import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** SHA256SUMS, as `sha256sum --check` reads it. */
export function writeChecksums(folder: string): void {
  const files = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile())
  const lines = files.map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}  ${name}`,
  )
  writeFileSync(join(folder, 'SHA256SUMS'), `${lines.join('\n')}\n`)
}
