// Before the packages are there, under whichever Node runs npm: will there be a Node to run on, and will it start?
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const LIBRARY = 'libatomic.so.1'

const { optionalDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const machine = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const hasPackage = Object.keys(optionalDependencies).some((name) => name.endsWith(`-${machine}`))
const [needed] = Object.values(optionalDependencies)
if (['arm', 'ia32'].includes(process.arch)) {
  console.error(
    `Hypocaust needs a 64-bit system, and this one is 32-bit (${process.arch}).\n` +
      'On a Raspberry Pi 3 or newer install Raspberry Pi OS (64-bit).',
  )
  process.exitCode = 1
} else if (!hasPackage && Number.parseInt(process.versions.node, 10) < Number.parseInt(needed, 10)) {
  console.error(
    `npm has no Node ${needed} for ${machine}, and the Node of this machine (${process.versions.node}) is too old.\n` +
      `Install Node ${needed} or newer, then run npm ci again.`,
  )
  process.exitCode = 1
}

const { status, stdout } = spawnSync('ldconfig', ['-p'], {
  encoding: 'utf8',
  env: { ...process.env, PATH: `${process.env.PATH}:/sbin:/usr/sbin` },
})
if (status === 0 && !stdout.includes(LIBRARY))
  console.error(
    `${LIBRARY} is missing on this machine. The Node that Hypocaust installs for itself cannot start without it.\n` +
      'On Debian: apt-get install libatomic1 (as root), then npm ci again.',
  )
