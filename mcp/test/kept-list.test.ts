import { HypocaustClient } from '@hypocaust/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { assistantServer } from '../src/index.ts'

/** The list of tools as a server with such a key sends it, before it becomes text. */
async function listedFor(permission: 'read' | 'write'): Promise<object> {
  const client = new HypocaustClient({ baseUrl: 'http://localhost', apiKey: 'hyp_test' })
  const [here, there] = InMemoryTransport.createLinkedPair()
  const server = assistantServer({ client, permission, now: () => 0 })
  await server.connect(there)
  const answer = new Promise<object>((resolve) => {
    here.onmessage = (message) => resolve((message as unknown as { result: { tools: object } }).result.tools)
  })
  await here.start()
  await here.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const tools = await answer
  await server.close()
  return tools
}

test('tools are described once for all keys with the same permission, however many ask', async () => {
  const [first, again, other] = [await listedFor('read'), await listedFor('read'), await listedFor('write')]
  expect(again).toBe(first)
  expect(other).not.toEqual(first)
})
