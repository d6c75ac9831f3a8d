import { errors, type ServiceError } from './errors.ts'

/** How much one account or building may have, by the names of the settings. */
export interface Quotas {
  max_sensors_per_building: number
  max_rooms_per_building: number
  max_gateways_per_building: number
  max_buildings_per_account: number
  max_keys_per_account: number
}

export const NO_QUOTAS: Quotas = {
  max_sensors_per_building: Number.POSITIVE_INFINITY,
  max_rooms_per_building: Number.POSITIVE_INFINITY,
  max_gateways_per_building: Number.POSITIVE_INFINITY,
  max_buildings_per_account: Number.POSITIVE_INFINITY,
  max_keys_per_account: Number.POSITIVE_INFINITY,
}

const COUNTED: Record<keyof Quotas, string> = {
  max_sensors_per_building: 'A building can have at most % sensors',
  max_rooms_per_building: 'A building can have at most % rooms',
  max_gateways_per_building: 'A building can have at most % gateways',
  max_buildings_per_account: 'An account can have at most % buildings',
  max_keys_per_account: 'An account can have at most % API keys that are neither revoked nor expired',
}

export function quotaReached(quotas: Quotas, name: keyof Quotas): ServiceError {
  const rule = COUNTED[name].replace('%', String(quotas[name]))
  return errors.quotaReached(`${rule}. The operator can raise the setting ${name}.`)
}
