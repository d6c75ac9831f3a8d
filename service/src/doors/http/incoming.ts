import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'

/** With two of them, a proxy and the service could each believe another one. HTTP/1.0 knows none. */
export function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1')
}

/** A caller may name the whole address, as a client of a proxy does: the path in it is meant. */
export const originForm = ({ url = '/' }: Pick<IncomingMessage, 'url'>): string =>
  url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*\/?/i, '/')

/** Node refuses an unknown `Expect` without a body; HTTP allows to pass it over. */
export function ignoreUnknownExpectations(server: Server): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  )
}

/** A proxy's request id is kept, unless it could do harm in a log. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const id = headers['x-request-id']
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : randomUUID()
}

/** On every response. */
export const COMMON_HEADERS = { 'x-content-type-options': 'nosniff' }
