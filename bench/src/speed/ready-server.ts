// The limit: a server that does nothing but send bytes it has ready, as `node:http` or as Fastify does.
//   node ready-server.ts bare|fastify FILE
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'

/** The one that the service has. */
const Fastify = createRequire(new URL('../../../service/package.json', import.meta.url))('fastify')

interface Reply {
  code(status: number): Reply
  header(name: string, value: string): Reply
  send(text?: string): Reply
}

const [kind, file = ''] = process.argv.slice(2)
const text = readFileSync(file, 'utf8')
const TYPE = 'application/json; charset=utf-8'
/** Connections rest while the other contestants have their turn. */
const KEPT_MS = 600_000
const TAG = '"wGGW5pgI1OrGHGHRz3zVHJ2NqR5hPyaK"'

if (kind === 'bare') {
  const length = Buffer.byteLength(text)
  const server = createServer((request, response) => {
    if (request.headers['if-none-match'] === TAG) response.writeHead(304, { etag: TAG }).end()
    else response.writeHead(200, { 'content-type': TYPE, 'content-length': length, etag: TAG }).end(text)
  })
  server.keepAliveTimeout = KEPT_MS
  server.listen(0, '127.0.0.1', () => say((server.address() as AddressInfo).port))
} else {
  const app = Fastify({ keepAliveTimeout: KEPT_MS })
  app.get('/*', async (request: IncomingMessage, reply: Reply) => {
    reply.header('etag', TAG)
    if (request.headers['if-none-match'] === TAG) return reply.code(304).send()
    return reply.header('content-type', TYPE).send(text)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  say((app.server.address() as AddressInfo).port)
}

function say(port: number): void {
  console.log(`http://127.0.0.1:${port}`)
}
