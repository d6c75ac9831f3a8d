import type { OverviewEntry } from '@hypocaust/domain'
import { useWords } from '../i18n/index.tsx'
import { navigate } from '../routing/navigation.ts'
import { Button, Empty, PageTitle } from '../ui/basics.tsx'
import { useCalm } from '../ui/calm.ts'
import { byColdest, byName, byNeed, chosen, needsAttention, type Sort, WHOLE_LIST } from './arrange.ts'
import { inNeedInWords } from './in-need.ts'
import { BuildingList } from './list.tsx'
import { isLongList } from './long-list.ts'
import { Tools } from './tools.tsx'
import { useView } from './view-store.ts'

/** The first page of a person with several buildings. */
export default function ManyBuildings({ entries }: { entries: OverviewEntry[] }) {
  const { t } = useWords()
  const [view, change] = useView()
  const orders: Record<Sort, OverviewEntry[]> = {
    need: useCalmOrder(entries, byNeed),
    coldest: useCalmOrder(entries, byColdest),
    name: entries.toSorted(byName),
  }
  const shown = chosen(orders[view.sort], view)
  const open = () => {
    const [first] = shown
    if (first) navigate({ to: '/buildings/$buildingId', params: { buildingId: first.id } })
  }
  const isNarrowed = shown.length < entries.length
  return (
    <>
      <PageTitle>{t('nav.home')}</PageTitle>
      <p role="status" className="mb-4 text-lg">
        {inNeedInWords(entries.filter(needsAttention).length, entries, t)}
        {isNarrowed && <span className="sr-only"> {t('list.found', { n: shown.length })}</span>}
      </p>
      {isLongList(entries) && <Tools entries={entries} view={view} onChange={change} onEnter={open} />}
      {shown.length === 0 && (
        <Empty icon="house" title={t('list.none')}>
          <Button onClick={() => change(WHOLE_LIST)}>{t('list.show_all')}</Button>
        </Empty>
      )}
      <BuildingList entries={shown} />
    </>
  )
}

/** The order does not change under a finger. */
function useCalmOrder(entries: OverviewEntry[], compare: typeof byNeed): OverviewEntry[] {
  const sorted = entries.toSorted(compare).map(({ id }) => id)
  const order = useCalm(sorted, sorted.join())
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return order.flatMap((id) => byId.get(id) ?? [])
}
