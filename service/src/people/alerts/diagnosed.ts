import type { AlertKind } from '@hypocaust/domain'
import { diagnosesOf } from '../../house/diagnosis/diagnosis.ts'
import type { Store } from '../../store/store.ts'
import type { Verdict } from './judge.ts'

/** Alerts that name what is seen and leave open why. */
const OPEN_KINDS: readonly AlertKind[] = ['target_unreachable', 'loop_low_flow', 'valve_without_effect', 'model_broken']

/** The alerts of rooms that hold, each with the probable cause where one is known. */
export async function withCauses(store: Store, verdicts: Verdict[], nowMs: number): Promise<Verdict[]> {
  const isOpen = ({ state, alert }: Verdict) => state === 'holds' && OPEN_KINDS.includes(alert.kind)
  const open = verdicts.filter(isOpen)
  if (open.length === 0) return verdicts
  const buildingIds = [...new Set(open.map(({ alert }) => alert.building_id))]
  const roomIds = new Set(open.flatMap(({ alert }) => alert.room_id ?? []))
  const diagnosed = await diagnosesOf(store, { buildingIds, roomIds }, nowMs)
  return verdicts.map((verdict) => {
    const likely = isOpen(verdict) && diagnosed.get(verdict.alert.room_id ?? '')?.diagnosis[0]
    if (!likely) return verdict
    const { cause, probability } = likely
    return { ...verdict, alert: { ...verdict.alert, diagnosis: { cause, probability } } }
  })
}
