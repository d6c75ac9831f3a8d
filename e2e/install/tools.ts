import { findProgram, inPath } from '../../scripts/programs.ts'

const PACKAGES: Record<string, string> = {
  mmdebstrap: 'mmdebstrap',
  buildah: 'buildah',
  lintian: 'lintian',
  'dpkg-deb': 'dpkg',
  'systemd-analyze': 'systemd',
  ip: 'iproute2',
  shellcheck: 'shellcheck',
}

/** For `skipIf`: names what is missing. A build server may not skip anything. */
export function without(...programs: string[]): boolean {
  const places = [...inPath(), '/usr/sbin', '/sbin']
  const missing = programs.filter((program) => findProgram([program], places) === undefined)
  const reasons = [
    ...(missing.length > 0 ? [`apt-get install ${missing.map((name) => PACKAGES[name] ?? name).join(' ')}`] : []),
    ...(process.getuid?.() === 0 ? [] : ['only root may make a root of its own']),
  ]
  if (reasons.length === 0) return false
  if (process.env.CI === 'true') throw new Error(reasons.join('; '))
  console.warn(`SKIPPED: ${reasons.join('; ')}`)
  return true
}
