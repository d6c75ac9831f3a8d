import { setTimeout } from 'node:timers/promises'
import { createLogger } from '../src/base/logger.ts'
import { Announcement } from '../src/doors/announce.ts'

/** Runs in a network namespace of its own, announces, and prints what was logged and what was heard on an address. */
const [address, listenOn] = process.argv.slice(2)
if (!address) throw new Error('usage: announce-in-namespace.ts ADDRESS [LISTEN_ON]')
const log: string[] = []
const logger = createLogger('info', { write: (line) => void log.push(line) })
const listener = listenOn ? await (await import('./mdns-listener.ts')).MdnsListener.join(listenOn) : undefined
const announcement = new Announcement({
  address,
  port: 8080,
  isTls: false,
  version: '1.2.3',
  installation: '1f0b5c52-7a3e-4f0e-9f43-6f2f0a6f6a51',
  logger,
  name: 'Cellar',
})
announcement.start()
const isSettled = () => log.length > 0 && (!listenOn || listener?.addresses.includes(listenOn))
for (let i = 0; i < 1000 && !isSettled(); i++) await setTimeout(100)
await announcement.stop()
listener?.leave()
console.log(JSON.stringify({ heard: listener?.addresses, log: log.map((line) => JSON.parse(line)) }))
