import type { StepResult } from '@hypocaust/control'
import type { Compilable } from 'kysely'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { RecommendedRow } from '../source/sg-ready.ts'

/** Until when a room heats more than it would if heat cost the same at all times; null where none does. */
function recommendedUntil(stepped: readonly { step: StepResult }[]): number | null {
  const ends = stepped.flatMap(({ step: { decision } }) =>
    decision.price?.kind === 'cheap' && decision.share > 0 ? [decision.price.untilMs] : [],
  )
  return ends.length === 0 ? null : Math.max(...ends)
}

/** Written where it has changed. */
export function recommendedWrites(
  store: Store,
  building: RecommendedRow & { id: string },
  stepped: readonly { step: StepResult }[],
): Compilable[] {
  const until = recommendedUntil(stepped)
  if (until === building.recommendedUntil) return []
  return [setRecommended.with(store, { buildingId: building.id, recommendedUntil: until })]
}

const setRecommended = statement(
  (db, { buildingId, recommendedUntil }: { buildingId: string; recommendedUntil: number | null }) =>
    db.updateTable('buildings').set({ recommendedUntil }).where('id', '=', buildingId),
)
