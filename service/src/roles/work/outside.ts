import { StartupError } from '../../base/startup-error.ts'
import { VERSION } from '../../base/version.ts'
import { installationOf } from '../../doors/installation.ts'
import { calendarNetwork } from '../../house/calendars/network.ts'
import { refreshCalendars } from '../../house/calendars/refresh.ts'
import { choosePrices } from '../../house/source/prices/choose.ts'
import type { PriceProvider } from '../../house/source/prices/market.ts'
import { keepGatewayPrices } from '../../house/source/prices/of-gateways.ts'
import { updatePrices } from '../../house/source/prices/updates.ts'
import { chooseWeather } from '../../house/weather/choose.ts'
import { updateWeather } from '../../house/weather/updates.ts'
import type { WeatherProvider } from '../../house/weather/weather.ts'
import { repeat } from '../../processes/repeat.ts'
import type { IngestChoice, IngestParts, Recurring } from './parts.ts'

const WEATHER_EVERY_MS = 30_000
const PRICES_EVERY_MS = 30_000
const CALENDARS_EVERY_MS = 30_000
const SEEK_HOME_ASSISTANT_EVERY_MS = 1000

/** Weather, prices, calendars and Home Assistant. */
export interface Outside {
  /** Asks for the weather at once, and returns what recurs. */
  begin(stopping: AbortSignal): Recurring[]
  /** Publishes to Home Assistant, where the settings want that. */
  startDiscovery(onBuildingChanged: (buildingId: string) => void): { stop(): Promise<void> } | undefined
}

/** As the settings choose; a choice that cannot be is refused here. */
export function chooseOutside(parts: IngestParts): Outside {
  const weather = parts.weather ?? chooseWeather(parts.settings, parts.clock)
  const prices = choosePrices(parts.settings)
  const discovery = discoveryUrl(parts.settings)
  return {
    begin: (stopping) => [
      ...(weather ? beginWeather(parts, weather, stopping) : []),
      ...pricesWork(parts, prices),
      calendarWork(parts),
    ],
    startDiscovery: (onBuildingChanged) =>
      discovery === undefined ? undefined : startDiscovery(parts, discovery, onBuildingChanged),
  }
}

function beginWeather(
  { store, clock, logger, alone }: IngestParts,
  provider: WeatherProvider,
  stopping: AbortSignal,
): Recurring[] {
  const update = () =>
    alone('weather', () => updateWeather({ store, clock, logger, provider, random: Math.random }, stopping))
  void update().catch((err) => logger.error({ err }, 'no weather'))
  return [[WEATHER_EVERY_MS, update]]
}

function pricesWork({ store, clock, logger, alone }: IngestParts, provider: PriceProvider | undefined): Recurring[] {
  const ofGateways: Recurring = [PRICES_EVERY_MS, () => alone('gateway-prices', () => keepGatewayPrices(store, clock))]
  if (!provider) return [ofGateways]
  const update = () => alone('prices', () => updatePrices({ store, clock, logger, provider, random: Math.random }))
  return [ofGateways, [PRICES_EVERY_MS, update]]
}

function calendarWork({ settings, store, clock, logger, alone }: IngestParts): Recurring {
  const network = calendarNetwork({ privateAddresses: settings.calendar_private_addresses })
  const parts = { store, clock, logger, network, random: Math.random }
  return [CALENDARS_EVERY_MS, (stopping) => alone('calendars', () => refreshCalendars(parts, stopping))]
}

/** One process publishes to Home Assistant; another takes over when it ends. */
function startDiscovery(
  { settings, store, clock, logger, alone }: IngestParts,
  url: string,
  onBuildingChanged: (buildingId: string) => void,
): { stop(): Promise<void> } {
  const availability = { silentAfterS: settings.silent_after_s }
  const stopping = new AbortController()
  const tell = async (lost: AbortSignal) => {
    const installation = await installationOf(store)
    const parts = { store, clock, logger, availability, url, installation, version: VERSION, onBuildingChanged }
    const { HomeAssistantDiscovery } = await import('../../doors/mqtt/ha-discovery.ts')
    const homeAssistant = new HomeAssistantDiscovery(parts)
    homeAssistant.start()
    await aborted(AbortSignal.any([lost, stopping.signal]))
    await homeAssistant.stop()
  }
  const turns = repeat(SEEK_HOME_ASSISTANT_EVERY_MS, () => alone('home-assistant', tell), logger)
  return {
    async stop() {
      stopping.abort()
      await turns.stop()
    },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** The embedded broker is for gateways alone. */
function discoveryUrl({ ha_discovery, mqtt_url }: IngestChoice): string | undefined {
  if (!ha_discovery) return undefined
  if (mqtt_url !== undefined) return mqtt_url
  throw new StartupError(
    'HYPOCAUST_HA_DISCOVERY=1 needs the MQTT broker that Home Assistant uses: HYPOCAUST_MQTT_URL=mqtt://host:1883',
  )
}
