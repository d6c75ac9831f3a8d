import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { webhookNetwork } from '../src/people/webhooks/network.ts'

/** Runs in a network of its own, whose name server hears everything and answers nothing; prints what came first. */
const server = createSocket('udp4')
server.bind(53, '127.0.0.1')
await once(server, 'listening')
const network = webhookNetwork({ privateAddresses: false })
const sent = Array.from({ length: 16 }, (_, i) =>
  network.post(`https://n${i}.example.com/`, {}, '').then(() => 'a webhook'),
)
await once(server, 'message')
console.log(await Promise.race([lookup('localhost').then(() => 'another look-up'), ...sent]))
process.kill(process.pid)
