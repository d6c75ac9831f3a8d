import type { FastifyInstance } from 'fastify'
import type { AddressMatcher } from '../sockets.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What stands before the paths of the site in the browser: empty, or `/api/hassio_ingress/…`. */
    readonly basePath: string
  }
}

/** No character that means anything in a page, a cookie or a header. */
const PATH = /^(?:\/[A-Za-z0-9_-]+){1,8}$/
const LONGEST_PATH = 200

/**
 * Home Assistant's ingress takes a prefix off the path and names it in a header. Only a trusted proxy is believed: the
 * prefix goes into pages and cookies.
 */
export function knowBasePath(app: FastifyInstance, isTrusted: AddressMatcher): void {
  app.decorateRequest('basePath', {
    getter() {
      const named = this.headers['x-ingress-path']
      const isPath = typeof named === 'string' && named.length <= LONGEST_PATH && PATH.test(named)
      return isPath && isTrusted(this.socket.remoteAddress ?? '') ? named : ''
    },
  })
}

/** Cookies go back to this site only: beside it, the host has Home Assistant and its other apps. */
export function keepCookiesUnderBasePath(app: FastifyInstance): void {
  app.addHook('onSend', async ({ basePath }, reply) => {
    const cookies = reply.getHeader('set-cookie')
    if (basePath === '' || cookies === undefined) return
    const under = [cookies].flat().map((cookie) => String(cookie).replace(/(;\s*Path=)\//i, `$1${basePath}/`))
    reply.removeHeader('set-cookie')
    for (const cookie of under) reply.header('set-cookie', cookie)
  })
}
