import Type, { type Static } from 'typebox'
import { OneOf } from '../schema.ts'

/** What an open page is told over server-sent events; which of them says what changed. */
export const ServiceEvent = Type.Object({
  now: Type.Integer({ description: 'The service’s time, epoch milliseconds.' }),
})
export type ServiceEvent = Static<typeof ServiceEvent>

export const WEATHER_SOURCES = ['none', 'open-meteo', 'met-norway', 'file', 'simulated'] as const

export const WeatherSource = Type.Object({
  source: OneOf(WEATHER_SOURCES, 'Where this service takes the weather from.'),
})
export type WeatherSource = Static<typeof WeatherSource>
