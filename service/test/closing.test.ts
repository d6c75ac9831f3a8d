import { Agent, request } from 'node:http'
import { listeningWorld } from '@hypocaust/testing/client.ts'
import { expect, test } from 'vitest'

// Far below the time for which an idle connection would be kept.
test('a service that closes answers what is under way, and does not wait for the next question', async () => {
  const asked = Promise.withResolvers<void>()
  const closing = Promise.withResolvers<void>()
  const faults = async () => {
    asked.resolve()
    await closing.promise
    return { marks: [], refusal: null }
  }
  const world = await listeningWorld({ faults })
  const agent = new Agent({ keepAlive: true })
  const headers = { 'x-api-key': world.holder.readKey }
  const status = new Promise((resolve, reject) => {
    request(world.url + world.roomsPath, { agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
      .on('error', reject)
      .end()
  })
  await asked.promise
  const closed = world.close()
  world.app.server.once('close', () => agent.destroy())
  // Its idle connections are gone by then; ours is not idle.
  setImmediate(() => closing.resolve())
  expect(await status).toBe(200)
  await closed
})
