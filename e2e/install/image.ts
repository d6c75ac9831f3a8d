import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Network } from './network.ts'

interface Config {
  Entrypoint: string[]
  Cmd: string[]
  Env: string[]
  User: string
  WorkingDir: string
}

const buildah = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)('buildah', args, { maxBuffer: 64e6 })).stdout.trim()

/** For Buildah in this process: images of a trial in a folder of their own. */
export function useOwnStorage(folder: string): void {
  const config = join(folder, 'storage.conf')
  writeFileSync(config, `[storage]\ndriver = "vfs"\ngraphroot = "${folder}/images"\nrunroot = "${folder}/run"\n`)
  process.env.CONTAINERS_STORAGE_CONF = config
}

/** A container as an engine runs it: the image's user, folder and environment, a root that nothing writes to. */
export class Container {
  readonly #id: string
  readonly #root: string
  readonly #config: Config
  readonly #volume: string

  private constructor(id: string, root: string, config: Config, volume: string) {
    this.#id = id
    this.#root = root
    this.#config = config
    this.#volume = volume
  }

  static async of(archive: string, volume: string, hosts = ''): Promise<Container> {
    const id = await buildah('from', '--quiet', '--pull-never', archive)
    const root = await buildah('mount', id)
    const { OCIv1 } = JSON.parse(await buildah('inspect', id))
    writeFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost\n${hosts}`)
    for (const name of ['proc', 'dev']) mkdirSync(join(root, name), { recursive: true })
    return new Container(id, root, OCIv1.config, volume)
  }

  /** A new volume begins with what the image has in its place. */
  async fillVolume(): Promise<void> {
    await promisify(execFile)('cp', ['-a', `${join(this.#root, 'var/lib/hypocaust')}/.`, this.#volume])
  }

  start(network: Network, args: string[], env: Record<string, string> = {}) {
    const [program = '', ...rest] = this.#command(args, env)
    return network.start(program, rest)
  }

  run(network: Network, args: string[], env: Record<string, string> = {}, input = ''): Promise<string> {
    const [program = '', ...rest] = this.#command(args, env)
    return network.run(program, rest, input)
  }

  #command(args: string[], env: Record<string, string>): string[] {
    const { Entrypoint, Cmd, Env, User, WorkingDir } = this.#config
    const [uid = '', gid = ''] = User.split(':')
    const mounts = [
      'mount --bind "$ROOT" "$ROOT"',
      'mount --bind "$VOLUME" "$ROOT/var/lib/hypocaust"',
      'mount -t tmpfs tmpfs "$ROOT/tmp"',
      'mount -t proc proc "$ROOT/proc"',
      'mount --bind /dev "$ROOT/dev"',
      'mount -o remount,bind,ro "$ROOT"',
    ]
    const inside = ['unshare', '--root', this.#root, '--wd', WorkingDir, '--setgid', gid, '--setuid', uid]
    const variables = [...Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
    const script = `${mounts.join(' && ')} && exec env -i ${variables.map((each) => `'${each}'`).join(' ')} "$@"`
    return [
      ...['env', `ROOT=${this.#root}`, `VOLUME=${this.#volume}`],
      ...['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, 'sh'],
      ...[`/usr/bin/${inside[0]}`, ...inside.slice(1), ...Entrypoint, ...(args.length > 0 ? args : Cmd)],
    ]
  }

  /** What every file of the root takes together. */
  async bytes(): Promise<number> {
    const { stdout } = await promisify(execFile)('du', ['-sb', this.#root])
    return Number(stdout.split('\t')[0])
  }

  async remove(): Promise<void> {
    await buildah('rm', this.#id)
  }
}

export function newVolume(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'hypocaust-volume-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
