import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildDebs } from '../../scripts/release/debian.ts'
import { ownArchitecture } from '../../scripts/release/node.ts'
import { releaseOf } from '../../scripts/release/release.ts'
import { ROOM_PATCH } from '../releases/house.ts'
import { DebianRoot } from './debian-root.ts'
import { HOUSE_FILE, settleHouse, withoutCommentSigns } from './house.ts'
import { Network } from './network.ts'
import { commandsUnder } from './page.ts'
import { KEEP_ALL, lostRows, placeReleasedData, RELEASED_HOUSE, rowsIn } from './released-data.ts'
import { without } from './tools.ts'

const HEAT_ROOM = join(import.meta.dirname, 'heat-room.ts')
const PLAY_DEVICES = join(import.meta.dirname, 'play-devices.ts')
const VISIT_HOUSE = join(import.meta.dirname, 'visit-house.ts')
const DEPLOY = join(import.meta.dirname, '../../deploy')
const NEWER = '99.0.0'
/** Quick to pack; a release packs smaller. */
const LEVEL = 1

test.skipIf(without('shellcheck'))('ShellCheck finds no fault in the scripts', () => {
  const scripts = ['raspberry-pi.sh', ...['postinst', 'prerm', 'postrm'].map((name) => join('debian', name))]
  execFileSync('shellcheck', scripts, { cwd: DEPLOY, stdio: ['ignore', 'inherit', 'inherit'] })
})

describe.skipIf(without('mmdebstrap', 'dpkg-deb', 'lintian', 'ip', 'systemd-analyze'))('the Debian packages', () => {
  const release = temporaryFolder()
  const { version } = releaseOf()
  let root: DebianRoot

  beforeAll(async () => {
    const debs = await buildDebs(release.path, releaseOf(), [ownArchitecture()], LEVEL)
    for (const { file } of debs) console.log(`${file}  ${megabytes(statSync(join(release.path, file)).size)}`)
    await buildDebs(release.path, releaseOf(NEWER), [ownArchitecture()], LEVEL)
    root = await DebianRoot.make(release.path, version)
  })
  afterEach(() => Network.removeAll())
  afterAll(() => {
    root?.remove()
    release.remove()
  })

  test('have no errors by lintian, and units that systemd calls safe', () => {
    const files = [`hypocaust_${version}_all.deb`, `hypocaust-gateway_${version}_all.deb`]
    execFileSync('lintian', ['--fail-on', 'error', '--suppress-tags', 'bad-distribution-in-changes-file', ...files], {
      cwd: release.path,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    for (const name of ['hypocaust', 'hypocaust@', 'hypocaust-gateway'])
      expect([name, exposureOf(name)]).toEqual([name, expect.toSatisfy((value: number) => value <= 2)])
  })

  test('the commands of the page install the service, and a room of its demo is heated', async () => {
    const began = performance.now()
    const [install = '', demo = ''] = commandsUnder('Debian')
    await root.sh(install)
    expect(await root.sh('hypocaust --version')).toMatch(new RegExp(`^${version} \\(commit \\w+, \\d{4}-`))
    const network = await Network.make()
    const running = root.start(demo, network)
    const [, url = '', key = ''] = await eventually(
      () => /Website\s+(\S+).*Write key\s+(\S+)/s.exec(running.stdout) ?? undefined,
    )
    const room = JSON.parse(await network.run(process.execPath, [HEAT_ROOM, url.replace('0.0.0.0', '127.0.0.1'), key]))
    expect(room.action).toBe('heating')
    await network.remove()
    const installed = await root.sh('du -sk /usr/lib/hypocaust | cut -f 1')
    console.log(
      `deb service: ${room.name} heats ${seconds(began)} after the empty root; ${megabytes(Number(installed) * 1024)} installed`,
    )
  })

  test('the service of the unit runs as its user with the settings of the package', async () => {
    const network = await Network.make()
    const began = performance.now()
    startUnit('hypocaust', network)
    await untilReady(network)
    console.log(`deb service: ready after ${seconds(began)}; ${root.memory()[0]?.toFixed(0)} MB then`)
    expect(root.list('var/lib/hypocaust')).toContain('hypocaust.db')
    expect(await root.sh('stat -c "%a %U" /var/lib/hypocaust /etc/hypocaust/hypocaust.yaml')).toBe(
      '700 hypocaust\n640 root\n',
    )
    await network.remove()
  })

  test('the commands of the page install a gateway, and its valve opens', async () => {
    const began = performance.now()
    const [install = '', pair = '', restart = ''] = commandsUnder('Gateway on Debian')
    expect(restart).toBe('systemctl restart hypocaust-gateway\n')
    await root.sh(install)
    const network = await Network.make()
    const hypocaust = (args: string[], input = '') =>
      root.shIn(network, `hypocaust ${args.map((each) => `'${each}'`).join(' ')}`, input)
    startUnit('hypocaust', network)
    await untilReady(network)
    writeFileSync(join(root.folder, 'etc/hypocaust/house.yaml'), HOUSE_FILE)
    const { code, key } = await settleHouse(hypocaust, '/etc/hypocaust/house.yaml')
    root.start('exec mosquitto', network)
    const devices = network.start(process.execPath, [PLAY_DEVICES, 'mqtt://127.0.0.1:1883'])
    await root.shIn(network, pair.replace('ABCD-EFGH', code))
    const file = join(root.folder, 'var/lib/hypocaust-gateway/gateway.yaml')
    writeFileSync(file, withoutCommentSigns(readFileSync(file, 'utf8')))
    startUnit('hypocaust-gateway', network)
    const room = JSON.parse(await network.run(process.execPath, [HEAT_ROOM, 'http://127.0.0.1:8080', key]))
    expect(room).toMatchObject({ name: 'Bathroom', action: 'heating' })
    await eventually(() => devices.stdout.includes('valve ON'))
    const installed = Number(await root.sh('du -sk /usr/lib/hypocaust-gateway | cut -f 1')) * 1024
    console.log(
      `deb gateway: the valve opens ${seconds(began)} after the service's root; ${megabytes(installed)} and Node installed; ${root.memory().at(-1)?.toFixed(0)} MB`,
    )
    await network.remove()
  })

  test('the data of the oldest release go on in a newer package and back in this one, and nothing is lost', async () => {
    const data = join(root.folder, 'var/lib/hypocaust')
    placeReleasedData(data)
    const before = rowsIn(data)
    for (const [each, was, target] of [
      [NEWER, ROOM_PATCH.target_temperature, 23],
      [version, 23, 24],
    ] as const) {
      await install(each)
      const network = await Network.make()
      startUnit('hypocaust', network, KEEP_ALL)
      const visit = [VISIT_HOUSE, 'http://127.0.0.1:8080', RELEASED_HOUSE, String(target)]
      const seen = JSON.parse(await network.run(process.execPath, visit))
      expect(seen).toMatchObject({ room: { ...ROOM_PATCH, target_temperature: was }, target })
      await network.remove()
      expect(lostRows(before, rowsIn(data))).toEqual([])
    }
    await root.sh(`hypocaust restore /var/lib/hypocaust/before-${NEWER}.backup --replace`)
    expect(rowsIn(data)).toEqual(before)
  })

  test('an upgrade and the way back keep data and changed settings; only a purge deletes them', async () => {
    await root.sh('echo "log_level: warn" >> /etc/hypocaust/hypocaust.yaml')
    // SQLite's own two files go with the last connection, and a backup with the next one.
    const before = root.list('var/lib/hypocaust').filter((name) => !/-(shm|wal)$|^before-/.test(name))
    for (const each of [NEWER, version]) {
      await install(each)
      expect(await root.sh('hypocaust --version')).toMatch(new RegExp(`^${each} `))
      expect(await root.sh('tail -1 /etc/hypocaust/hypocaust.yaml')).toBe('log_level: warn\n')
    }
    expect(await root.sh('hypocaust account list')).toContain('ada@example.org')
    await root.sh('apt-get remove -y hypocaust')
    expect(root.has('usr/bin/hypocaust')).toBe(false)
    expect(root.list('var/lib/hypocaust')).toEqual(expect.arrayContaining(before))
    await root.sh('apt-get purge -y hypocaust')
    expect([root.has('var/lib/hypocaust'), root.has('etc/hypocaust')]).toEqual([false, false])
    await expect(root.sh('getent passwd hypocaust')).rejects.toThrow()
  })

  const install = (each: string) =>
    root.sh(
      `cd /release && apt-get install -y --allow-downgrades ./hypocaust-node_${each}_*.deb ./hypocaust_${each}_all.deb`,
    )

  /** As its unit says; nothing here plays systemd. */
  function startUnit(name: string, network: Network, env: NodeJS.ProcessEnv = {}): void {
    const [user, folder, command] = ['User', 'WorkingDirectory', 'ExecStart'].map((each) => root.unit(name, each))
    root.start(`cd ${folder} && exec setpriv --reuid ${user} --regid ${user} --init-groups ${command}`, network, env)
  }
})

async function untilReady(network: Network): Promise<void> {
  const ready = "fetch('http://127.0.0.1:8080/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1))"
  await eventually(() => network.run(process.execPath, ['-e', ready]).catch(() => undefined))
}

/** The exposure that `systemd-analyze security` finds, from 0 to 10. */
function exposureOf(name: string): number {
  const unit = join(DEPLOY, 'systemd', `${name}.service`)
  const text = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], { encoding: 'utf8' })
  const [, exposure = ''] = /Overall exposure level for \S+: ([\d.]+)/.exec(text) ?? []
  console.log(`${name}.service: exposure ${exposure}`)
  return Number(exposure || Number.NaN)
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
const seconds = (beganMs: number): string => `${((performance.now() - beganMs) / 1000).toFixed(1)} s`
