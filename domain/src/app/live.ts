import Type, { type Static } from 'typebox'
import { OneOf } from '../schema.ts'

/** The server-sent events of an open page; the kind of event says what changed. */
export const ServiceEvent = Type.Object({
  now: Type.Integer({ description: 'The service’s time, epoch milliseconds.' }),
})
export type ServiceEvent = Static<typeof ServiceEvent>

const WEATHER_SOURCES = ['none', 'open-meteo', 'met-norway', 'file', 'simulated'] as const

export const WeatherSource = Type.Object({
  source: OneOf(WEATHER_SOURCES, 'Where this service takes the weather from.'),
})
export type WeatherSource = Static<typeof WeatherSource>
