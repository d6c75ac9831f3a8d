import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'

/** Looks at a request first; `goOn` hands it to the listeners behind. */
export type FirstListener = (request: IncomingMessage, response: ServerResponse, goOn: () => void) => void

/** Puts a listener before all that the server has for requests: they see only what it lets through. */
export function standBefore(server: Server, listener: FirstListener): void {
  const behind = server.listeners('request') as RequestListener[]
  if (behind.length === 0) throw new Error('the server has no listener for requests yet')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    listener(request, response, () => {
      for (const handle of behind) handle.call(server, request, response)
    })
  })
}
