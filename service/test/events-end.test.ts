import { type Browser, openSite, signedIn, WEBSITE } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { appOn, type World } from '@hypocaust/testing/world.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { MOST_WAITS } from '../src/doors/http/turns.ts'
import { joinPeers } from '../src/processes/postgres-peers.ts'

type Stream = ReadableStreamDefaultReader<Uint8Array>

async function streamOf(url: string, { cookie }: Browser): Promise<Stream> {
  const answer = await fetch(`${url}/app/events`, { headers: { cookie } })
  expect(answer.status).toBe(200)
  return (answer.body as ReadableStream<Uint8Array>).getReader()
}

afterEach(() => vi.useRealTimers())

/** The browser signs out; only its own stream ends, and not by the look that comes every 15 seconds: that one never comes. */
async function expectEnd(world: World, url: string): Promise<void> {
  const [leaving, staying] = [await signedIn(world), await signedIn(world)]
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const [left, stayed] = [await streamOf(url, leaving), await streamOf(url, staying)]
  expect((await leaving.call('DELETE', '/app/session')).status).toBe(204)
  let isDone = false
  while (!isDone) ({ done: isDone } = await left.read())
  expect((await stayed.read()).done).toBe(false)
  await stayed.cancel()
}

const listening = { host: '127.0.0.1', port: 0 }

test('a page’s stream of events ends when its session is signed out', async () => {
  const world = await openSite('sqlite')
  await expectEnd(world, await world.app.listen(listening))
  await world.close()
})

test('of one account fifty are open at a time', async () => {
  const world = await openSite('sqlite')
  const url = await world.app.listen(listening)
  const [browser, stranger] = [await signedIn(world), await signedIn(world, 'bob@example.org')]
  const open = await Promise.all(Array.from({ length: MOST_WAITS }, () => streamOf(url, browser)))
  const statusOf = async ({ cookie }: Browser) => {
    const { status, body } = await fetch(`${url}/app/events`, { headers: { cookie } })
    await body?.cancel()
    return status
  }
  expect(await statusOf(browser)).toBe(429)
  const others = await streamOf(url, stranger)
  await open[0]?.cancel()
  await expect.poll(() => statusOf(browser)).toBe(200)
  await Promise.all([others, ...open.slice(1)].map((stream) => stream.cancel()))
  await world.close()
})

test.skipIf(!ENGINES.includes('postgres'))('also when the page is connected to another process', async () => {
  const world = await openSite('postgres')
  const peers = await joinPeers(world.test.url, createLogger('silent'))
  const otherStore = await world.test.openAgain()
  const other = await appOn(otherStore, world.clock, { website: WEBSITE, news: peers.news })
  await expectEnd(world, await other.listen(listening))
  await other.close()
  await peers.stop()
  await otherStore.close()
  await world.close()
})
