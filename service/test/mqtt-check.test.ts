import { type Mosquitto, startMosquitto, withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { freePort } from '@hypocaust/testing/ports.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkBroker } from '../src/doors/mqtt/check.ts'
import { MOSQUITTO_SERVICE_USER, mosquittoAcl } from '../src/doors/mqtt/mosquitto.ts'

const STRANGER = '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'

describe.skipIf(withoutMosquitto())('what doctor finds at the broker outside', () => {
  let mosquitto: Mosquitto
  beforeAll(async () => {
    const passwords = { [MOSQUITTO_SERVICE_USER]: 'right', [STRANGER]: 'token' }
    mosquitto = await startMosquitto({ passwords, acl: mosquittoAcl() })
  })
  afterAll(() => mosquitto.stop())

  const findingFor = async (user: string, password: string) =>
    (await checkBroker(`mqtt://${user}:${password}@127.0.0.1:${mosquitto.port}`))[0]

  test('the service’s own user is accepted, and its messages are carried', async () => {
    expect(await findingFor(MOSQUITTO_SERVICE_USER, 'right')).toMatchObject({ check: 'MQTT broker', ok: true })
  })

  test('a wrong password is named, and never shown', async () => {
    const found = await findingFor(MOSQUITTO_SERVICE_USER, 'wrong-password')
    expect(found).toMatchObject({ ok: false, finding: expect.stringMatching(/not authorized.*HYPOCAUST_MQTT_URL/i) })
    expect(found?.finding).not.toContain('wrong-password')
  })

  test('a user who may not speak for the service is found out', async () => {
    const found = await findingFor(STRANGER, 'token')
    expect(found).toMatchObject({ ok: false, finding: expect.stringContaining('hypocaust broker mosquitto-config') })
  })

  test('a broker that is away is named with its address', async () => {
    const port = await freePort()
    const [found] = await checkBroker(`mqtt://127.0.0.1:${port}`)
    expect(found).toMatchObject({ ok: false, finding: expect.stringMatching(`127.0.0.1:${port}.*ECONNREFUSED`) })
  })
})

test('without a broker outside there is nothing to check', async () => {
  expect(await checkBroker(undefined)).toEqual([])
})
