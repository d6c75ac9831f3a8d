import { WeatherSource } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'

/** Shown when a building is added: which weather service gets its location. */
export function weatherRoutes(app: FastifyInstance, source: WeatherSource['source']): void {
  app.get(
    '/weather-source',
    { schema: { hide: true, summary: 'Where the weather comes from', response: { 200: WeatherSource } } },
    async () => ({ source }),
  )
}
