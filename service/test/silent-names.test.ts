import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { expect, test } from 'vitest'

/** With a root, mounts and a network of its own, as Linux lets a user have. */
const OWN = ['-rmn', 'sh', '-c', 'ip link set lo up && mount --bind "$0" /etc/resolv.conf && exec "$@"']

const canMount = spawnSync('unshare', [...OWN, '/dev/null', 'true']).status === 0

test.runIf(canMount)('webhooks to names whose server never answers leave other look-ups alone', () => {
  const folder = temporaryFolder()
  const nameServer = join(folder.path, 'resolv.conf')
  writeFileSync(nameServer, 'nameserver 127.0.0.1\n')
  const script = join(import.meta.dirname, 'silent-names-in-namespace.ts')
  const { stdout, stderr } = spawnSync('unshare', [...OWN, nameServer, process.execPath, script], { encoding: 'utf8' })
  expect(stdout || stderr).toBe('another look-up\n')
  folder.remove()
})
