// Before the packages are there, under whichever Node runs npm: the Node they bring does not start without this library.
import { spawnSync } from 'node:child_process'

const LIBRARY = 'libatomic.so.1'

const { status, stdout } = spawnSync('ldconfig', ['-p'], {
  encoding: 'utf8',
  env: { ...process.env, PATH: `${process.env.PATH}:/sbin:/usr/sbin` },
})
if (status === 0 && !stdout.includes(LIBRARY))
  console.error(
    `${LIBRARY} is missing on this machine. The Node that Hypocaust installs for itself cannot start without it.\n` +
      'On Debian: apt-get install libatomic1 (as root), then npm ci again.',
  )
