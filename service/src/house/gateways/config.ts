import { fallbackPower as firstFallbackPower } from '@hypocaust/control'
import { fallbackAfterS, type GatewayConfig, keptFallback, WINDOW_S } from '@hypocaust/domain'
import type { Compilable } from 'kysely'
import { numberAfter, takeNumber } from '../../store/outrun.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { coldestC } from '../loop-run/screed-run.ts'
import { addressesOf } from '../room-sensors.ts'
import { type ManualColumns, steeringOfRow } from '../rooms/steering.ts'
import { isWatched } from '../rooms/watch.ts'
import type { GatewayValves, Valve } from './valves.ts'

/** A thermal actuator needs about this long to open at all. */
const MIN_OPEN_S = 180
const EXERCISE_DAYS = 7

/** Known: this was sent to the gateway before. */
type NextConfig = { kind: 'known'; config: GatewayConfig } | ({ kind: 'new' } & NumberedConfig)

interface NumberedConfig {
  config: GatewayConfig
  /** Writes the revision. Refused if another process has numbered one since the gateway was looked at. */
  numbering: Compilable
}

/** What a gateway is to keep on its own disk, with a revision that rises with every change. */
export function nextConfig(store: Store, gateway: GatewayValves): NextConfig {
  const { sent, gatewayId } = gateway
  const content = contentOf(gateway)
  const text = JSON.stringify(content)
  if (sent.config === text) return { kind: 'known', config: { revision: sent.configRevision, ...content } }
  const revision = sent.configRevision + 1
  const numbering = setConfig.with(store, { gatewayId, sentRevision: sent.configRevision, config: text })
  return { kind: 'new', config: { revision, ...content }, numbering }
}

/** With its revision on disk. Outrun: another process has numbered one since the gateway was looked at. */
type CurrentConfig = { kind: 'new' | 'known'; config: GatewayConfig } | { kind: 'outrun' }

export async function currentConfig(store: Store, gateway: GatewayValves): Promise<CurrentConfig> {
  const next = nextConfig(store, gateway)
  if (next.kind === 'known') return next
  return (await takeNumber(store, next.numbering)) ? { kind: 'new', config: next.config } : { kind: 'outrun' }
}

interface NewConfig {
  gatewayId: string
  sentRevision: number
  config: string
}

const setConfig = statement((db, { gatewayId, sentRevision, config }: NewConfig) =>
  db
    .updateTable('gateways')
    .set({ configRevision: numberAfter('config_revision', sentRevision), config })
    .where('id', '=', gatewayId),
)

/** As numbered last, by whichever process; undefined for a gateway that is gone. */
export async function storedConfig(store: Store, gatewayId: string): Promise<GatewayConfig | undefined> {
  const row = await configOf.first(store, { gatewayId })
  if (!row || row.config === null) return undefined
  return { revision: row.configRevision, ...(JSON.parse(row.config) as Omit<GatewayConfig, 'revision'>) }
}

const configOf = statement((db, { gatewayId }: { gatewayId: string }) =>
  db.selectFrom('gateways').select(['configRevision', 'config']).where('id', '=', gatewayId),
)

function contentOf(gateway: GatewayValves): Omit<GatewayConfig, 'revision'> {
  const { valves, frostProtection, sourceOwner, sent, coolSupplyC, canCool, run } = gateway
  const watched = valves.filter(isWatched)
  // What a room needs of warm water is nothing for a gateway that would let cold water flow.
  const hasFallback = (valve: Valve) =>
    !isWatched(valve) && (coolSupplyC === null || canCool || valve.floorType === 'electric')
  return {
    fallback: {
      after_s: fallbackAfterS(valves.map(({ floorType }) => WINDOW_S[floorType])),
      power: Object.fromEntries(valves.map((valve) => [valve.channel, hasFallback(valve) ? fallbackOf(valve) : 0])),
      ...(run?.kind === 'screed' && !run.ended && { supply_most_c: coldestC(run) }),
    },
    min_open_s: MIN_OPEN_S,
    exercise_days: EXERCISE_DAYS,
    frost_protection: frostProtection,
    sensors: Object.fromEntries(valves.map((valve) => [valve.channel, addressesOf(valve)])),
    ...(coolSupplyC !== null && { cools: true }),
    ...(sourceOwner !== null && { source_owner: sourceOwner }),
    ...(sent.agentBoot !== null && { agent: sent.agentBoot }),
    ...(watched.length > 0 && { watched: watched.map(({ channel }) => channel) }),
  }
}

/** What the gateway is to give a room when commands stop; by floor type until it has been learned. */
export const fallbackOf = (room: ManualColumns & Pick<Valve, 'floorType' | 'fallbackPower'>): number =>
  keptFallback(
    steeringOfRow(room),
    room.fallbackPower ?? roundedToPercent(firstFallbackPower(null, room.floorType, null)),
  )

const roundedToPercent = (power: number): number => Math.round(power * 100) / 100
