import { chownSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { findServer } from '@hypocaust/testing/programs.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { buildImages } from '../../scripts/release/image.ts'
import { ownArchitecture } from '../../scripts/release/node.ts'
import { placeHouseFiles } from '../../scripts/release/plain-files.ts'
import { PUBLICATION } from '../../scripts/release/publication.ts'
import { type Release, releaseOf } from '../../scripts/release/release.ts'
import { ROOM_PATCH } from '../releases/house.ts'
import { HOUSE_FILE, settleHouse, withoutCommentSigns } from './house.ts'
import { Container, newVolume, useOwnStorage } from './image.ts'
import { Network } from './network.ts'
import { commandsUnder } from './page.ts'
import { KEEP_ALL, lostRows, placeReleasedData, RELEASED_HOUSE, rowsIn } from './released-data.ts'
import { without } from './tools.ts'

const HEAT_ROOM = join(import.meta.dirname, 'heat-room.ts')
const PLAY_DEVICES = join(import.meta.dirname, 'play-devices.ts')
const VISIT_HOUSE = join(import.meta.dirname, 'visit-house.ts')
const NEWER = '99.0.0'
const MOST_BYTES = 180e6
const USER = 1000

/** The words after `docker …`, of the commands of a block. */
const wordsAfter = (block: string, start: string): string[][] =>
  block
    .split('\n')
    .filter((line) => line.startsWith(`${start} `))
    .map((line) => line.slice(start.length + 1).split(' '))

describe.skipIf(without('mmdebstrap', 'buildah', 'ip'))('the image, run as an engine runs it', () => {
  const folder = temporaryFolder()
  const release = releaseOf()
  const image = `${PUBLICATION.image}:${release.version}`
  let archive = ''

  beforeAll(async () => {
    useOwnStorage(folder.path)
    archive = await archiveOf(release)
  })
  afterEach(() => Network.removeAll())
  afterAll(() => folder.remove())

  test('the command of the page starts the demo, and one of its rooms is heated', async () => {
    const [block = ''] = commandsUnder('Container')
    const [words = []] = wordsAfter(block, 'docker run')
    expect(words).toEqual(expect.arrayContaining(['--read-only', '--volume', 'hypocaust:/var/lib/hypocaust', image]))
    const began = performance.now()
    const [network, volume] = [await Network.make(), newVolume()]
    const container = await Container.of(archive, volume.path)
    await container.fillVolume()
    const running = container.start(network, words.slice(words.indexOf(image) + 1))
    const [, key = ''] = await eventually(() => /Write key\s+(\S+)/.exec(running.stdout) ?? undefined)
    const room = JSON.parse(await network.run(process.execPath, [HEAT_ROOM, 'http://127.0.0.1:8080', key]))
    expect(room.action).toBe('heating')
    const bytes = await container.bytes()
    console.log(
      `image: ${room.name} heats ${((performance.now() - began) / 1000).toFixed(1)} s after docker run; ${(bytes / 1e6).toFixed(0)} MB unpacked`,
    )
    expect(bytes).toBeLessThan(MOST_BYTES)
    await network.remove()
    await container.remove()
    volume.remove()
  })

  test.skipIf(findServer('mosquitto') === undefined)(
    'compose.yaml of a house and the commands of the page lead to a heated room',
    async () => {
      placeHouseFiles(folder.path, release)
      const { services } = parse(readFileSync(join(folder.path, 'compose.yaml'), 'utf8'), { merge: true })
      const [network, volume] = [await Network.make(), newVolume()]
      // One address for each container, in place of a network between them.
      const hosts = '127.0.0.2 service\n127.0.0.3 mosquitto\n'
      const [service, agent] = [
        await Container.of(archive, volume.path, hosts),
        await Container.of(archive, volume.path, hosts),
      ]
      await service.fillVolume()
      const own = { HYPOCAUST_HOST: '127.0.0.2' }
      const broker = join(folder.path, 'mosquitto.conf')
      writeFileSync(broker, 'listener 1883 127.0.0.3\nallow_anonymous true\n')
      const began = performance.now()
      network.start(findServer('mosquitto') ?? '', ['-c', broker])
      service.start(network, services.service.command, own)
      const url = 'http://127.0.0.2:8080'
      const ready = `fetch('${url}/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1))`
      await eventually(() => network.run(process.execPath, ['-e', ready]).catch(() => undefined))

      writeFileSync(join(volume.path, 'house.yaml'), HOUSE_FILE)
      const hypocaust = (args: string[], input = '') => service.run(network, args, {}, input)
      const { code, key } = await settleHouse(hypocaust, 'house.yaml')
      const devices = network.start(process.execPath, [PLAY_DEVICES, 'mqtt://127.0.0.3:1883'])
      const [, commands = ''] = commandsUnder('Compose')
      for (const words of wordsAfter(commands, 'docker compose run --rm agent')) {
        const args = words.map((word) => word.replace('ABCD-EFGH', code))
        await agent.run(network, args[1] === 'discover' ? [...args, '--seconds', '5'] : args)
      }
      const file = join(volume.path, 'gateway/gateway.yaml')
      writeFileSync(file, withoutCommentSigns(readFileSync(file, 'utf8')))
      chownSync(file, USER, USER)
      agent.start(network, services.agent.command)
      const room = JSON.parse(await network.run(process.execPath, [HEAT_ROOM, url, key]))
      expect(room).toMatchObject({ name: 'Bathroom', action: 'heating' })
      await eventually(() => devices.stdout.includes('valve ON'))
      console.log(
        `compose: the valve opens ${((performance.now() - began) / 1000).toFixed(1)} s after docker compose up`,
      )
      await network.remove()
      await service.remove()
      await agent.remove()
      volume.remove()
    },
  )

  test('a volume of the oldest release goes on in a newer image and back in this one, and nothing is lost', async () => {
    const newer = await archiveOf(releaseOf(NEWER))
    const volume = newVolume()
    const first = await Container.of(newer, volume.path)
    await first.fillVolume()
    const data = join(volume.path, 'service')
    placeReleasedData(data)
    const before = rowsIn(data)
    const second = await Container.of(archive, volume.path)
    for (const [container, version, was, target] of [
      [first, NEWER, ROOM_PATCH.target_temperature, 23],
      [second, release.version, 23, 24],
    ] as const) {
      const network = await Network.make()
      expect(await container.run(network, ['--version'])).toMatch(new RegExp(`^${version} `))
      container.start(network, ['serve'], KEEP_ALL)
      const visit = [VISIT_HOUSE, 'http://127.0.0.1:8080', RELEASED_HOUSE, String(target)]
      const seen = JSON.parse(await network.run(process.execPath, visit))
      expect(seen).toMatchObject({ room: { ...ROOM_PATCH, target_temperature: was }, target })
      await network.remove()
      expect(lostRows(before, rowsIn(data))).toEqual([])
    }
    const network = await Network.make()
    await second.run(network, ['restore', join('service', `before-${NEWER}.backup`), '--replace'])
    expect(rowsIn(data)).toEqual(before)
    await network.remove()
    await first.remove()
    await second.remove()
    volume.remove()
  })

  async function archiveOf(built: Release): Promise<string> {
    const { files } = await buildImages(folder.path, built, ownArchitecture())
    return `oci-archive:${join(folder.path, files[0] ?? '')}`
  }
})
