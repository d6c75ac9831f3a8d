import { fallbackPower as firstFallbackPower } from '@hypocaust/control'
import { type GatewayConfig, WINDOW_S } from '@hypocaust/domain'
import type { Store } from '../store/store.ts'
import type { GatewayValves, Valve } from './valves.ts'

/** A thermal actuator needs about this long to open at all. */
const MIN_OPEN_S = 180
const EXERCISE_DAYS = 7
const WINDOWS_UNTIL_FALLBACK = 3

export interface PublishedConfig {
  config: GatewayConfig
  /** False when the gateway has been told this before. */
  isNew: boolean
}

/** What a gateway is to keep on its own disk, with a revision that rises with every change. */
export async function currentConfig({ db }: Store, gateway: GatewayValves): Promise<PublishedConfig | undefined> {
  const content = contentOf(gateway)
  const text = JSON.stringify(content)
  const kept = await db
    .selectFrom('gateways')
    .select(['configRevision', 'config'])
    .where('id', '=', gateway.gatewayId)
    .executeTakeFirst()
  if (!kept) return undefined
  if (kept.config === text) return { config: { revision: kept.configRevision, ...content }, isNew: false }
  const revision = kept.configRevision + 1
  const { numUpdatedRows } = await db
    .updateTable('gateways')
    .set({ configRevision: revision, config: text })
    .where('id', '=', gateway.gatewayId)
    .where('configRevision', '=', kept.configRevision)
    .executeTakeFirst()
  return numUpdatedRows === 0n ? undefined : { config: { revision, ...content }, isNew: true }
}

function contentOf({ valves }: GatewayValves): Omit<GatewayConfig, 'revision'> {
  const windows = valves.map(({ floorType }) => WINDOW_S[floorType])
  return {
    fallback: {
      after_s: WINDOWS_UNTIL_FALLBACK * Math.max(WINDOW_S.dry, ...windows),
      power: Object.fromEntries(valves.map((valve) => [valve.channel, fallbackOf(valve)])),
    },
    min_open_s: MIN_OPEN_S,
    exercise_days: EXERCISE_DAYS,
  }
}

/** An off room stays off, a room under manual power keeps that value, any other gets what it has needed lately. */
const fallbackOf = ({ manualEnabled, manualPower, floorType, fallbackPower }: Valve): number => {
  if (manualEnabled === 1) return manualPower
  return fallbackPower ?? roundedToPercent(firstFallbackPower(null, floorType, null))
}

const roundedToPercent = (power: number): number => Math.round(power * 100) / 100
