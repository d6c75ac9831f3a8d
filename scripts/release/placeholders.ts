import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './shell.ts'

/** An address such as `https://hypocaust.example`, which leads nowhere; `example.org` in a sentence is for readers. */
const PLACEHOLDER = /(?:\/\/|@)[\w.-]*\.example(?![\w.-])/g

/** The placeholders in the files of a release, archives unpacked. */
export async function placeholdersIn(folder: string): Promise<string[]> {
  const work = mkdtempSync(join(tmpdir(), 'hypocaust-unpacked-'))
  try {
    for (const name of readdirSync(folder)) await unpack(join(folder, name), join(work, name))
    return textFiles(work).flatMap((file) =>
      (readFileSync(file, 'utf8').match(PLACEHOLDER) ?? []).map((found) => `${file.slice(work.length + 1)}: ${found}`),
    )
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function unpack(file: string, to: string): Promise<void> {
  const commands: [RegExp, string, string[]][] = [
    [/\.(tgz|tar\.gz)$/, 'tar', ['-xf', file, '-C', to]],
    [/\.deb$/, 'dpkg-deb', ['-x', file, to]],
    [/\.(zip|whl)$/, 'python3', ['-m', 'zipfile', '-e', file, to]],
    // An image holds the same bundle as the other packages.
    [/\.oci\.tar$/, 'true', []],
  ]
  await run('mkdir', ['-p', to])
  const [, program, args] = commands.find(([name]) => name.test(file)) ?? [undefined, 'cp', ['-r', file, to]]
  await run(program, args)
}

const textFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|json|md|yaml|yml|html|css|txt|sh|py|conf|service)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
