import type { RelayReport, SourceReport } from '@hypocaust/domain'

/** What a gateway last reported, as it is stored. */
export interface Reported {
  relayReport: string | null
  sourceReport: string | null
}

export type RelayCondition = RelayReport['channels'][number]

export function relaysOf({ relayReport }: Pick<Reported, 'relayReport'>): RelayCondition[] {
  return relayReport === null ? [] : (JSON.parse(relayReport) as RelayReport).channels
}

/** The machine on which another agent of the same gateway runs. */
export const otherAgentOf = ({ relayReport }: Pick<Reported, 'relayReport'>): string | null =>
  relayReport === null ? null : ((JSON.parse(relayReport) as RelayReport).other_agent ?? null)

export const relayOf = (reported: Pick<Reported, 'relayReport'>, channel: number): RelayCondition | undefined =>
  relaysOf(reported).find((relay) => relay.channel === channel)

/** The source is busy with domestic hot water, or too hot: no water flows to the floors. */
export const isLocked = ({ sourceReport }: Pick<Reported, 'sourceReport'>): boolean =>
  sourceReport !== null && ((JSON.parse(sourceReport) as SourceReport).lock ?? null) !== null

/** The share that flows whatever is commanded; null while the valve follows its commands. */
export function forcedPower(reported: Reported, channel: number, isElectric: boolean): number | null {
  if (!isElectric && isLocked(reported)) return 0
  const relay = relayOf(reported, channel)
  if (relay === undefined || relay.state === 'ok') return null
  return relay.state === 'contradicts' && relay.stuck === 'open' ? 1 : 0
}
