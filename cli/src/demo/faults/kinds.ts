import { UsageFailure } from '../../failure.ts'

/** What happens to requests. */
export const REQUEST_FAULTS = ['401', '429', '503', 'delay'] as const
/** What happens to the house. */
export const HOUSE_FAULTS = ['sensor', 'silence'] as const

export type RequestFault = (typeof REQUEST_FAULTS)[number]
export type HouseFault = (typeof HOUSE_FAULTS)[number]

export interface FaultKinds {
  request: RequestFault[]
  house: HouseFault[]
}

const ALL: readonly string[] = [...REQUEST_FAULTS, ...HOUSE_FAULTS]

/** `--faults` alone is everything; a list is what it names. */
export function faultKindsOf(flag: string | true): FaultKinds {
  const named = flag === true ? ALL : flag.split(',')
  const unknown = named.find((kind) => !ALL.includes(kind))
  if (unknown !== undefined)
    throw new UsageFailure(`--faults: “${unknown}” is not a kind of fault; must be one of: ${ALL.join(',')}`)
  return {
    request: REQUEST_FAULTS.filter((kind) => named.includes(kind)),
    house: HOUSE_FAULTS.filter((kind) => named.includes(kind)),
  }
}
