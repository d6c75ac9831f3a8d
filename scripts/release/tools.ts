import { findProgram, inPath } from '../programs.ts'
import { ARCHITECTURES, stripOf } from './node.ts'

export const KINDS = ['npm', 'python', 'deb', 'image', 'home-assistant'] as const
export type Kind = (typeof KINDS)[number]

const STRIPS = Object.fromEntries(ARCHITECTURES.map((each) => [stripOf(each).program, stripOf(each).debianPackage]))

/** The programs that a kind is built with, and Debian's packages that bring them. */
const PROGRAMS: Record<Kind, Record<string, string>> = {
  npm: {},
  python: { python3: 'python3' },
  deb: { 'dpkg-deb': 'dpkg', ...STRIPS },
  image: { mmdebstrap: 'mmdebstrap', buildah: 'buildah', ...STRIPS },
  'home-assistant': {},
}

/** Says at once what is missing: a release takes many minutes. */
export function checkTools(kinds: Kind[], places = [...inPath(), '/usr/sbin', '/sbin']): void {
  const needed = new Map(kinds.flatMap((kind) => Object.entries(PROGRAMS[kind])))
  const missing = [...needed].filter(([program]) => findProgram([program], places) === undefined)
  if (missing.length === 0) return
  const names = missing.map(([program]) => program).join(', ')
  const packages = [...new Set(missing.map(([, name]) => name))].join(' ')
  throw new Error(`a release is built with ${names}, missing here. On Debian: apt-get install ${packages}`)
}
