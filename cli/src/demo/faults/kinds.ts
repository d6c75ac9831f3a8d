import { UsageFailure } from '../../failure.ts'

/** What happens to requests. */
export const REQUEST_FAULTS = ['401', '429', '503', 'delay'] as const
/** What happens to the house. */
export const HOUSE_FAULTS = ['sensor', 'silence'] as const

export type RequestFault = (typeof REQUEST_FAULTS)[number]
export type HouseFault = (typeof HOUSE_FAULTS)[number]
export type FaultKind = RequestFault | HouseFault

export const ALL_FAULTS: readonly FaultKind[] = [...REQUEST_FAULTS, ...HOUSE_FAULTS]

export const isInHouse = (kind: FaultKind): kind is HouseFault => HOUSE_FAULTS.some((each) => each === kind)

/** `--faults` alone is everything; a list is what it names. */
export function faultKindsOf(flag: string | true): FaultKind[] {
  if (flag === true) return [...ALL_FAULTS]
  const named = flag.split(',')
  const unknown = named.find((name) => !ALL_FAULTS.some((kind) => kind === name))
  if (unknown !== undefined)
    throw new UsageFailure(`--faults: “${unknown}” is not a kind of fault; must be one of: ${ALL_FAULTS.join(',')}`)
  return ALL_FAULTS.filter((kind) => named.includes(kind))
}
