// Connects to the broker it is given, sends one message and stops.

import { MqttLink } from '../src/base/link.ts'

const link = new MqttLink({
  name: 'the broker',
  url: process.argv[2] as string,
  options: {},
  slowestRetryMs: 2_000,
  log: () => {},
  subscriptions: () => ['a'],
  onUp: () => up.resolve(),
  onMessage: () => {},
})
const up = Promise.withResolvers<void>()
link.start()
await up.promise
process.send?.('up')
await new Promise((resolve) => process.once('message', resolve))
process.disconnect?.()
link.publish('b', 'never acknowledged', { qos: 1, retain: false })
await link.stop()
