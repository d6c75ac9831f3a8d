import type { OverviewEntry } from '@hypocaust/domain'
import { NEEDS } from '@hypocaust/domain/facts'

export type NeedFilter = 'all' | OverviewEntry['need']
export type Sort = 'need' | 'name' | 'coldest'

/** What of a long list is shown, and in which order. */
export interface View {
  search: string
  need: NeedFilter
  /** Null: whatever their tags are. */
  tag: string | null
  sort: Sort
}

export const WHOLE_LIST: View = { search: '', need: 'all', tag: null, sort: 'need' }

/** The most pressing first, by name among equals. */
export const byNeed = (a: OverviewEntry, b: OverviewEntry): number =>
  NEEDS.indexOf(a.need) - NEEDS.indexOf(b.need) || b.urgent.length - a.urgent.length || byName(a, b)

const { compare } = new Intl.Collator(undefined, { numeric: true })
export const byName = (a: OverviewEntry, b: OverviewEntry): number => compare(a.name, b.name) || compare(a.id, b.id)

/** The coldest first; those without a measured room last. */
export const byColdest = (a: OverviewEntry, b: OverviewEntry): number =>
  (a.coldest?.temperature ?? Number.MAX_VALUE) - (b.coldest?.temperature ?? Number.MAX_VALUE) || byName(a, b)

/** Those with an urgent alert: a building that does not report is among them, until its alert is snoozed. */
export const needsAttention = ({ urgent }: OverviewEntry): boolean => urgent.length > 0

const needs = (entry: OverviewEntry, need: NeedFilter): boolean =>
  need === 'all' || (need === 'attention' ? needsAttention(entry) : entry.need === need)

/** Those of a view, in the order they came. */
export function chosen(entries: OverviewEntry[], { search, need, tag }: View): OverviewEntry[] {
  const words = plain(search).split(/\s+/).filter(Boolean)
  return entries.filter((entry) => {
    const text = plain([entry.name, ...entry.tags].join(' '))
    return (
      needs(entry, need) && (tag === null || entry.tags.includes(tag)) && words.every((word) => text.includes(word))
    )
  })
}

/** As it is typed in a hurry: "Zurich" finds "Zürich". */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export const tagsOf = (entries: OverviewEntry[]): string[] =>
  [...new Set(entries.flatMap(({ tags }) => tags))].toSorted(compare)

export const countOf = (entries: OverviewEntry[], need: NeedFilter): number =>
  entries.filter((entry) => needs(entry, need)).length
