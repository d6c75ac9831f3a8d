import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect as connectTls } from 'node:tls'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { EMBEDDED, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { reading } from '@hypocaust/testing/test-gateway.ts'
import { connectAsync } from 'mqtt'
import { expect, test } from 'vitest'
import { makeAuthority, makeServerCertificate } from '../src/doors/tls/certificates.ts'

const fixture = (name: string) => readFileSync(new URL(`../../testing/src/fixtures/${name}`, import.meta.url))
const TLS = { cert: fixture('self-signed-cert.pem'), key: fixture('self-signed-key.pem') }

test('with a certificate gateways speak TLS, and nothing else is understood', async () => {
  const secure = await openMqttWorld({
    broker: { kind: 'embedded', options: { ...EMBEDDED.options, tls: TLS } },
  })
  expect(secure.mqtt.address.tls).toBe(true)
  const gateway = await secure.gateway(secure.cellarId, { rejectUnauthorized: false })
  await gateway.deliver([reading(BATHROOM_SENSOR, 21, secure.clock.now())])
  const plain = connectAsync(secure.url.replace('mqtts', 'mqtt'), { reconnectPeriod: 0, connectTimeout: 2000 }, false)
  await expect(plain).rejects.toThrow()
  await gateway.deliver([])
  await secure.close()
})

test('a renewed certificate is shown from the next connection on, and those that stand go on', async () => {
  const secure = await openMqttWorld({
    broker: { kind: 'embedded', options: { ...EMBEDDED.options, tls: TLS } },
  })
  const shown = async () => {
    const socket = connectTls({ port: secure.mqtt.address.port, host: '127.0.0.1', rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    const certificate = socket.getPeerX509Certificate()
    socket.destroy()
    return certificate?.subject
  }
  const gateway = await secure.gateway(secure.cellarId, { rejectUnauthorized: false })
  const before = await shown()
  const authority = await makeAuthority('pi', [], Date.now())
  secure.mqtt.useCertificate(await makeServerCertificate(authority, ['localhost'], Date.now()))
  expect(await shown()).toBe('CN=Hypocaust')
  expect(before).not.toBe('CN=Hypocaust')
  await gateway.deliver([reading(BATHROOM_SENSOR, 21, secure.clock.now())])
  await secure.close()
})
