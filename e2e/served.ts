import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'

const CHANNEL = 'fastify.initialization'

/** The routes of all servers that are made until it is stopped, as `PATCH /v1/buildings/{buildingId}`. */
export function routesOfServers(): { stop(): string[] } {
  const ids = new Set<string>()
  const watch = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      const path = url.replace(/:(\w+)/g, '{$1}')
      for (const name of [method].flat()) if (name !== 'HEAD' && name !== 'OPTIONS') ids.add(`${name} ${path}`)
    })
  subscribe(CHANNEL, watch)
  return {
    stop() {
      unsubscribe(CHANNEL, watch)
      return [...ids].toSorted()
    },
  }
}
