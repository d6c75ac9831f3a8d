import { openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { expect, test } from 'vitest'

test('a page’s stream of events ends when its session is signed out', async () => {
  const world = await openSite('sqlite')
  const url = await world.app.listen({ host: '127.0.0.1', port: 0 })
  const [leaving, staying] = [await signedIn(world), await signedIn(world)]
  const streamOf = async ({ cookie }: { cookie: string }) => {
    const answer = await fetch(`${url}/app/events`, { headers: { cookie } })
    expect(answer.status).toBe(200)
    return (answer.body as ReadableStream<Uint8Array>).getReader()
  }
  const [left, stayed] = [await streamOf(leaving), await streamOf(staying)]
  const startedMs = performance.now()
  expect((await leaving.call('DELETE', '/app/session')).status).toBe(204)
  let isDone = false
  while (!isDone) ({ done: isDone } = await left.read())
  // The look that happens anyway comes after 15 seconds.
  expect(performance.now() - startedMs).toBeLessThan(14_000)
  expect((await stayed.read()).done).toBe(false)
  await stayed.cancel()
  await world.close()
})
