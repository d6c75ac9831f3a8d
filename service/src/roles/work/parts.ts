import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import type { Tracer } from '../../base/tracing/tracer.ts'
import type { MqttLink } from '../../doors/mqtt/link.ts'
import type { BrokerChoice } from '../../doors/mqtt/run.ts'
import type { PriceChoice } from '../../house/source/prices/choose.ts'
import type { WeatherChoice } from '../../house/weather/choose.ts'
import type { WeatherProvider } from '../../house/weather/weather.ts'
import type { RunExclusively } from '../../processes/exclusive.ts'
import type { News } from '../../processes/news.ts'
import type { Peers } from '../../processes/postgres-peers.ts'
import type { Store } from '../../store/store.ts'

/** The settings of the service that this role goes by. */
export interface IngestChoice extends WeatherChoice, PriceChoice {
  mqtt_url?: string
  ha_discovery: boolean
  calendar_private_addresses: boolean
  silent_after_s: number
  max_sensors_per_building: number
  history_raw_days: number
  history_five_minute_days: number
  history_hourly_days: number
  history_decision_days: number
  ended_key_days: number
  change_log_days: number
}

export interface IngestParts {
  settings: IngestChoice
  store: Store
  clock: Clock
  metrics: Metrics
  /** Left out, nothing is traced. */
  tracer?: Tracer
  logger: Logger
  broker: BrokerChoice
  /** In place of a connection to that broker. */
  link?: MqttLink
  alone: RunExclusively
  news: News
  /** Where other processes may control the same buildings. */
  shares?: Peers['shares']
  weather?: WeatherProvider
}

/** Work that recurs, with the pause between two turns. */
export type Recurring = [everyMs: number, turn: (stopping: AbortSignal) => Promise<unknown>]
