import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundledPackage } from '@hypocaust/testing/program-of.ts'
import { findProgram, inPath } from '../../scripts/programs.ts'
import { packClient } from '../../scripts/release/client.ts'
import { pack, ROOT } from '../../scripts/release/shell.ts'

/** The machine's own Node, without the one that npm puts before it. */
const PATH = inPath().filter((folder) => !folder.includes('node_modules'))
export const plainNode = findProgram(['node'], PATH)
export const isNewEnough =
  plainNode !== undefined && /^v(2[6-9]|[3-9]\d)/.test(execFileSync(plainNode, ['--version'], { encoding: 'utf8' }))
export const PLAIN_ENV = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(HYPOCAUST_|NODE_|npm_)/.test(name))),
  PATH: PATH.join(':'),
}

export const runIn = (home: string, program: string, args: string[]) =>
  promisify(execFile)(program, args, { cwd: home, env: PLAIN_ENV })

export const NODE_PACKAGE = `node-${process.platform}-${process.arch}`
/** The one installed here stands for the 50 MB that npm would download. */
const nodePackage = join(ROOT, 'node_modules', NODE_PACKAGE)

/** Packs the client and the command, and installs both in `home`, an empty folder below `folder`. */
export async function installRelease(folder: string, home: string): Promise<void> {
  mkdirSync(home)
  const packages = [await packClient(folder), await pack(bundledPackage(), folder)].map((name) => join(folder, name))
  await runIn(home, 'npm', ['install', '--offline', '--no-audit', '--no-fund', ...packages, nodePackage])
}
