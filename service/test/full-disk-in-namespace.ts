import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify from 'fastify'
import { createMetrics } from '../src/base/metrics.ts'
import { healthRoutes } from '../src/doors/http/health.ts'
import { openStore } from '../src/store/open.ts'

/** Runs in a mount namespace of its own: fills a small disk while messages come, and prints what readiness answers. */
const [folder = ''] = process.argv.slice(2)
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder])
const store = await openStore(folder)
const app = Fastify()
app.setErrorHandler((error, _request, reply) => reply.code(503).send({ message: (error as Error).message }))
healthRoutes(app, store, createMetrics())
const ready = async () => (await app.inject({ url: '/health/ready' })).statusCode
const filler = join(folder, 'filler')

/** As the intake writes messages; each needs more room than the last one left. */
async function takeIn(): Promise<string | undefined> {
  const value = 'x'.repeat(100_000)
  const insert = store.db.insertInto('meta').values({ name: crypto.randomUUID(), value })
  const [result] = await store.batchEach([{ queries: [insert] }])
  return result?.status
}

const before = await ready()
try {
  writeFileSync(filler, Buffer.alloc(16 << 20))
} catch {
  // The disk is full now.
}
let status = await takeIn()
for (let i = 0; i < 100 && status === 'fulfilled'; i++) status = await takeIn()
const full = [status, await ready(), await ready()]
rmSync(filler)
const after = [await ready(), await takeIn(), await ready()]
await store.close()
console.log(JSON.stringify({ before, full, after }))
