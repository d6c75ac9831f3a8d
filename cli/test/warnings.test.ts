import { mkdirSync, writeFileSync } from 'node:fs'
import { startMain } from '@hypocaust/testing/agent-process.ts'
import { hypocaust } from '@hypocaust/testing/command.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { afterAll, expect, test } from 'vitest'

// Node warns of what a bundled library does, as it does of a program's own.
const WARNING = /Warning|DEP\d+/
const NOWHERE = 'mqtt://user:secret@127.0.0.1:1'

const folder = temporaryFolder()
afterAll(() => folder.remove())

test('a broker outside that is away leaves no warning of Node beside what doctor finds', async () => {
  mkdirSync(`${folder.path}/data`)
  const { stdout, stderr } = await hypocaust(folder.path, ['doctor', '--data', 'data'], '', {
    HYPOCAUST_MQTT_URL: NOWHERE,
  })
  expect(stdout).toContain('127.0.0.1:1')
  expect(stderr).not.toMatch(WARNING)
})

test('the log of an agent whose brokers are away has no warning of Node', async () => {
  const service = `service: { url: "${NOWHERE}", gateway_id: 01a1df8c-6650-7ff8-9fb4-e9c6a4e19feb, token: hypg_secret }`
  const channels = 'channels: [{ channel: 1, driver: tasmota, topic: valve }]'
  writeFileSync(`${folder.path}/gateway.yaml`, `${service}\ndevices: { url: "${NOWHERE}" }\n${channels}\n`)
  const agent = startMain(['run'], folder.path)
  await eventually(() => agent.output().split('ECONNREFUSED').length > 2)
  agent.child.kill('SIGTERM')
  await agent.exit
  expect(agent.output()).not.toMatch(WARNING)
})
