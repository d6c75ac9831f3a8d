import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const PORTS_EACH = 2000
const WORKERS = 6
const FIRST_PORT = 20_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS) * PORTS_EACH
let nextPort = randomInt(PORTS_EACH)

/**
 * For programs that cannot choose a free port themselves. Below the ports that the system gives away, and other ones in every worker:
 * nobody takes it before it is used, nor while a broker is down.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    nextPort = (nextPort + 1) % PORTS_EACH
    // Kept apart before anything is awaited: others ask meanwhile.
    const port = FIRST_PORT + nextPort
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
