import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../scripts/release/shell.ts'

const PAGE = readFileSync(join(ROOT, 'docs/installation.md'), 'utf8')

/** The shell blocks below a heading of the installation page, as a reader copies them. */
export function commandsUnder(heading: string): string[] {
  const start = PAGE.search(new RegExp(`^#+ ${heading}$`, 'm'))
  if (start < 0) throw new Error(`docs/installation.md has no heading "${heading}"`)
  const [, ...rest] = PAGE.slice(start).split(/^#{2,3} .*$/m)
  return [...(rest[0] ?? '').matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block)
}
