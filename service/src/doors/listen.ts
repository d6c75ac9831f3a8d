import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { StartupError } from '../base/startup-error.ts'

interface Address {
  host: string
  port: number
}

/** Opens the door; an address that cannot be used is explained. Returns the URL. */
export async function listen(app: FastifyInstance, { host, port }: Address, isTls: boolean): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw new StartupError(whyNotListening(error as NodeJS.ErrnoException, host, port))
  }
  const address = app.server.address() as AddressInfo
  const shownHost = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `${isTls ? 'https' : 'http'}://${shownHost}:${address.port}`
}

function whyNotListening({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is taken by another program. Stop it, or choose another port with --port.`
    case 'EACCES':
      return `port ${port} on ${host} may not be used by this user. Choose one above 1023 with --port.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `this machine has no address ${host}. Choose another with --host.`
    default:
      return `cannot listen on ${host}:${port}: ${message}`
  }
}
