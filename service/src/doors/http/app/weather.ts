import { WeatherSource } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'

/** Whoever adds a building is told who learns its place. */
export function weatherRoutes(app: FastifyInstance, source: WeatherSource['source']): void {
  app.get(
    '/weather-source',
    { schema: { hide: true, summary: 'Where the weather comes from', response: { 200: WeatherSource } } },
    async () => ({ source }),
  )
}
