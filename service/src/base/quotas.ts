import { errors } from './errors.ts'

/** How much one account or building may have, by the names of the settings. */
export interface Quotas {
  max_rooms_per_building: number
  max_gateways_per_building: number
  max_buildings_per_account: number
  max_keys_per_account: number
}

export const NO_QUOTAS: Quotas = {
  max_rooms_per_building: Number.POSITIVE_INFINITY,
  max_gateways_per_building: Number.POSITIVE_INFINITY,
  max_buildings_per_account: Number.POSITIVE_INFINITY,
  max_keys_per_account: Number.POSITIVE_INFINITY,
}

const COUNTED: Record<keyof Quotas, string> = {
  max_rooms_per_building: 'A building can have at most % rooms',
  max_gateways_per_building: 'A building can have at most % gateways',
  max_buildings_per_account: 'An account can have at most % buildings',
  max_keys_per_account: 'An account can have at most % API keys that are not revoked',
}

/** Called before anything is created; `wanted` is how many there would be afterwards. */
export function refuseBeyondQuota(quotas: Quotas, name: keyof Quotas, wanted: number): void {
  const most = quotas[name]
  if (wanted <= most) return
  throw errors.quotaReached(`${COUNTED[name].replace('%', String(most))}. The operator can raise the setting ${name}.`)
}
