import { LEAST_ENWG_W } from '@hypocaust/domain'
import type { GridSettings } from '../inputs/grid.ts'
import type { PowerLimitSettings } from '../inputs/power-limit.ts'
import { type ActuatorKind, NO_ACTUATOR, THERMAL } from '../laws/actuator.ts'
import type { SourceLimits } from '../laws/align.ts'
import type { PumpTimes } from '../laws/source.ts'
import type { RelayOutput } from '../valves/driver.ts'
import type { Fault } from './fault.ts'
import { relayKey, relayOf } from './relay.ts'
import type { FileChannel, GatewayFile } from './schema.ts'
import type {
  ContactSettings,
  CoolingSettings,
  FlowTemperatureSettings,
  PumpSettings,
  SourceSettings,
} from './settings.ts'
import type { FileContact, FileCooling, FileFlowTemperature, FilePump, FileSourceOutput } from './source-schema.ts'
import { valueSourceOf } from './supply.ts'

const BOILER_MIN_S = 600
/** Colder water saves nothing that the dew point would allow on most days. */
const LEAST_COOL_WATER_C = 16

/** `demand` is one relay for both, and so are `pump` and `boiler` that name the same relay. */
export function sourceOf({ pump, pumps = [], boiler, demand }: GatewayFile): SourceSettings {
  const both = demand ?? (pump && boiler && relayKey(pump) === relayKey(boiler) ? { ...pump, ...boiler } : undefined)
  if (both) return { kind: 'both', relay: relayOf(both), times: timesOf(both), limits: limitsOf(both, BOILER_MIN_S) }
  const allPumps = [...(pump ? [pump] : []), ...pumps]
  const limits = [...allPumps.map((each) => limitsOf(each, 0)), ...(boiler ? [limitsOf(boiler, BOILER_MIN_S)] : [])]
  const most = (name: keyof SourceLimits) => Math.max(0, ...limits.map((each) => each[name]))
  const asked = {
    minRunMs: most('minRunMs'),
    minOffMs: most('minOffMs'),
    minLoops: most('minLoops'),
    minAreaM2: most('minAreaM2'),
  }
  const isAsking = Object.values(asked).some((value) => value > 0)
  return {
    kind: 'separate',
    pumps: pump ? [pumpOf(pump, 'pump', 'the pump', null)] : pumps.map(oneOfPumps),
    boiler: boiler ? relayOf(boiler) : null,
    limits: isAsking ? asked : null,
  }
}

function oneOfPumps(pump: FilePump, i: number): PumpSettings {
  const id = `pump ${i + 1}`
  return pumpOf(pump, id, pump.name ? `${id} (${pump.name})` : id, new Set(pump.channels))
}

const pumpOf = (
  pump: FileSourceOutput,
  id: string,
  name: string,
  channels: ReadonlySet<number> | null,
): PumpSettings => ({ ...relayOf(pump), ...timesOf(pump), id, name, channels })

export function actuatorOf({ heat, actuator }: FileChannel): ActuatorKind {
  if (heat === 'electric') return NO_ACTUATOR
  return {
    deadMs: (actuator?.dead_s ?? THERMAL.deadMs / 1000) * 1000,
    strokeMs: (actuator?.stroke_s ?? THERMAL.strokeMs / 1000) * 1000,
  }
}

export const contactsOf = (file: FileContact | FileContact[] = []): ContactSettings[] => [file].flat().map(contactOf)

const contactOf = ({ topic, path, on }: FileContact) => ({ topic, path: path ?? null, on: String(on ?? 'ON') })

export function gridOf({ sg_ready, surplus, surplus_forecast, prices, power_limit }: GatewayFile): GridSettings {
  return {
    sgReady: sg_ready ? [contactOf(sg_ready.contact_1), contactOf(sg_ready.contact_2)] : null,
    surplus: surplus ? valueSourceOf(surplus) : null,
    surplusForecast: surplus_forecast ? seriesSourceOf(surplus_forecast) : null,
    prices: prices ? seriesSourceOf(prices) : null,
    powerLimit: power_limit ? powerLimitOf(power_limit) : null,
  }
}

/** With `on` or `limit_w` it is a contact that stands for watts, else the topic has watts. */
function powerLimitOf(file: NonNullable<GatewayFile['power_limit']>): PowerLimitSettings {
  const { topic, path, on, limit_w: limitW, basis = 'enwg_14a' } = file
  const isContact = on !== undefined || limitW !== undefined
  const contact = isContact ? { on: String(on ?? 'ON'), limitW: limitW ?? LEAST_ENWG_W } : null
  return { topic, path: path ?? null, basis, contact }
}

export const sgReadyOutputOf = ({ sg_ready_output: output }: GatewayFile): [RelayOutput, RelayOutput] | null =>
  output ? [relayOf(output.contact_1), relayOf(output.contact_2)] : null

const seriesSourceOf = ({ topic, path }: { topic: string; path?: string }) => ({ topic, path: path ?? null })

export function flowTemperatureOf(file: FileFlowTemperature | undefined): FlowTemperatureSettings | null {
  if (!file) return null
  return { from: valueSourceOf(file), maxC: file.max_c }
}

export function coolingOf(file: FileCooling | undefined): CoolingSettings | null {
  if (!file) return null
  const { changeover, request, reported, dew_contact, min_supply_c = LEAST_COOL_WATER_C } = file
  return {
    changeover: changeover ? relayOf(changeover) : null,
    usesRequest: request === 'boiler',
    reported: reported ? contactOf(reported) : null,
    dewContacts: contactsOf(dew_contact),
    minSupplyC: min_supply_c,
  }
}

/** Without the temperature of the water nobody knows how near to the dew point it is. */
export function coolingFaults({ cooling, flow_temperature, demand, boiler }: GatewayFile): Fault[] {
  if (!cooling) return []
  const at = (name: string, message: string): Fault[] => [{ path: ['cooling', name], message }]
  if (!flow_temperature) return [{ path: ['cooling'], message: 'needs flow_temperature, the water that flows' }]
  if (cooling.request === 'boiler' && !boiler && !demand) return at('request', 'there is no boiler and no demand')
  if (cooling.request !== 'boiler' && demand)
    return at('request', 'must be boiler: demand is one relay for pump and request')
  return []
}

const limitsOf = (output: FileSourceOutput, minS: number): SourceLimits => ({
  minRunMs: (output.min_run_s ?? minS) * 1000,
  minOffMs: (output.min_off_s ?? minS) * 1000,
  minLoops: output.min_open_loops ?? 0,
  minAreaM2: output.min_flow ?? 0,
})

const timesOf = ({ lead_s, lag_s }: FileSourceOutput): PumpTimes => ({
  leadMs: lead_s === undefined ? Number.POSITIVE_INFINITY : lead_s * 1000,
  lagMs: (lag_s ?? 0) * 1000,
})
