import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { Driver, requestBytes } from '../src/speed/driver.ts'

test('a connection that was closed between two runs is an error, not a wait without end', async () => {
  const server = createServer((_request, response) => response.end('ok'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const driver = await Driver.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 1)
  const requests = () => requestBytes('GET', '/')
  expect(await driver.run(2, 200, requests)).toMatchObject({ answered: 2 })
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  for (const _when of ['as it is noticed', 'afterwards'])
    await expect(driver.run(1, 200, requests)).rejects.toThrow('the connection was closed')
})
