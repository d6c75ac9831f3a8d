import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { downloadUrl } from '../../scripts/release/publication.ts'
import { ROOT } from '../../scripts/release/shell.ts'
import type { Network } from './network.ts'

/** Made once on a machine; each test begins with a fresh copy. */
const CLEAN = join(ROOT, 'node_modules/.cache/hypocaust-debian.tar')
const SUITE = 'bookworm'

/** In place of the internet: serves the files of a release from a folder of the root. */
const CURL = (folder: string, url: string) => `#!/bin/sh
for word; do case $word in ${url}*) exec cp "${folder}/\${word##*/}" . ;; esac; done
echo "curl: no such address: $*" >&2
exit 22
`

/** A clean Debian of the smallest kind in a folder, entered by chroot. */
export class DebianRoot {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  static async make(release: string, version: string): Promise<DebianRoot> {
    if (!existsSync(CLEAN)) {
      mkdirSync(join(CLEAN, '..'), { recursive: true })
      await promisify(execFile)('mmdebstrap', ['--variant=minbase', '--quiet', SUITE, CLEAN])
    }
    const root = new DebianRoot(mkdtempSync(join(tmpdir(), 'hypocaust-root-')))
    await promisify(execFile)('tar', ['-xf', CLEAN, '-C', root.folder])
    cpSync('/etc/resolv.conf', join(root.folder, 'etc/resolv.conf'), { dereference: true })
    cpSync(release, join(root.folder, 'release'), { recursive: true })
    // No service is started by its installation here: there is no systemd.
    writeFileSync(join(root.folder, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 })
    const address = downloadUrl(version, '')
    writeFileSync(join(root.folder, 'usr/local/bin/curl'), CURL('/release', address), { mode: 0o755 })
    await root.sh('apt-get update -q')
    return root
  }

  /** Runs a script as a root of this Debian types it, with the network of the machine. */
  async sh(script: string): Promise<string> {
    const [program = '', ...args] = this.#entered(script)
    const env = {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      DEBIAN_FRONTEND: 'noninteractive',
      HOME: '/root',
    }
    const { stdout } = await promisify(execFile)(program, args, { env, maxBuffer: 64e6 })
    return stdout
  }

  /** The same in a network without anything else. */
  shIn(network: Network, script: string, input = ''): Promise<string> {
    const [program = '', ...args] = this.#entered(script)
    return network.run(program, args, input)
  }

  /** The same, where it stays. */
  start(script: string, network: Network, env: NodeJS.ProcessEnv = {}) {
    const [program = '', ...args] = this.#entered(script)
    return network.start(program, args, { PATH: process.env.PATH, HOME: '/root', ...env })
  }

  /** With processes of its own, which end together with the first. */
  #entered(script: string): string[] {
    const proc = `--mount-proc=${join(this.folder, 'proc')}`
    return ['unshare', '--mount', '--pid', '--fork', '--kill-child', proc, 'chroot', this.folder, 'sh', '-ec', script]
  }

  /** A line of an installed unit, as `ExecStart`. */
  unit(name: string, setting: string): string {
    const text = readFileSync(join(this.folder, 'usr/lib/systemd/system', `${name}.service`), 'utf8')
    return new RegExp(`^${setting}=(.*)$`, 'm').exec(text)?.[1] ?? ''
  }

  /** Resident memory of the processes of this root in MB, the largest first. */
  memory(): number[] {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && this.#owns(name))
    const kilobytes = pids.map((pid) => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    return kilobytes.map((each) => Number(each) / 1024).sort((a, b) => b - a)
  }

  #owns(pid: string): boolean {
    try {
      return readlinkSync(`/proc/${pid}/exe`) === join(this.folder, 'usr/lib/hypocaust/node')
    } catch {
      return false
    }
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, path))
  }

  list(path: string): string[] {
    return this.has(path) ? readdirSync(join(this.folder, path)) : []
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
