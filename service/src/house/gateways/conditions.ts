import { type RelayReport, SHUT_TO_COOLING, type SourceReport } from '@hypocaust/domain'
import type { Selectable } from 'kysely'
import type { GatewayTable } from '../../store/tables/gateways.ts'

/** What a gateway last reported, as it is stored. */
export interface Reported {
  relayReport: string | null
  sourceReport: string | null
}

export type RelayCondition = RelayReport['channels'][number]

export function relaysOf({ relayReport }: Pick<Reported, 'relayReport'>): RelayCondition[] {
  return relayReport === null ? [] : (JSON.parse(relayReport) as RelayReport).channels
}

/** An agent that stands by reports it at least every ten minutes. */
const STANDS_BY_FOR_MS = 15 * 60_000

/** The machine on which another agent of the same gateway runs, as either of the two has reported. */
export function otherAgentOf(
  { relayReport, otherAgent, otherAgentAt }: Pick<Reported, 'relayReport'> & OtherAgent,
  nowMs: number,
): string | null {
  if (otherAgentAt !== null && nowMs - otherAgentAt < STANDS_BY_FOR_MS) return otherAgent
  return relayReport === null ? null : ((JSON.parse(relayReport) as RelayReport).other_agent ?? null)
}

type OtherAgent = Pick<Selectable<GatewayTable>, 'otherAgent' | 'otherAgentAt'>

export const relayOf = (reported: Pick<Reported, 'relayReport'>, channel: number): RelayCondition | undefined =>
  relaysOf(reported).find((relay) => relay.channel === channel)

/** The source is busy with domestic hot water, or too hot: no water flows to the floors. */
export const isLocked = ({ sourceReport }: Pick<Reported, 'sourceReport'>): boolean =>
  sourceReport !== null && ((JSON.parse(sourceReport) as SourceReport).lock ?? null) !== null

const isShutToCooling = ({ held }: RelayCondition): boolean => SHUT_TO_COOLING.some((reason) => reason === held)

/** The share that flows whatever is commanded; null while the valve follows its commands. */
export function forcedPower(reported: Reported, channel: number, isElectric: boolean): number | null {
  if (!isElectric && isLocked(reported)) return 0
  const relay = relayOf(reported, channel)
  if (relay && isShutToCooling(relay)) return 0
  if (relay === undefined || relay.state === 'ok') return null
  return relay.state === 'contradicts' && relay.stuck === 'open' ? 1 : 0
}
