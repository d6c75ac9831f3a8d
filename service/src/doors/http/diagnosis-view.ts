import { CHECKS_OF, type RoomDiagnosis, timestampOf } from '@hypocaust/domain'
import type { Diagnosed } from '../../house/diagnosis/diagnosis.ts'
import { type Membership, seesRoom } from '../../house/membership.ts'

/** A room that the reader cannot see is not named. */
export function diagnosisView({ examinedAt, diagnosis, picture }: Diagnosed, membership: Membership): RoomDiagnosis {
  const [first] = diagnosis
  const { fromMs, stepMs, measuredC, healthyC, withCauseC } = picture
  return {
    examined_at: timestampOf(examinedAt),
    causes: diagnosis.map(({ cause, probability, sinceMs, otherRoom }) => ({
      cause,
      probability,
      began_at: timestampOf(sinceMs),
      other_room_id: otherRoom !== null && seesRoom(membership, otherRoom) ? otherRoom : null,
      checks: [...CHECKS_OF[cause]],
    })),
    evidence: {
      from: timestampOf(fromMs),
      step_s: stepMs / 1000,
      measured: first ? measuredC : [],
      healthy: first ? healthyC : [],
      with_cause: first ? (withCauseC[first.cause] ?? []) : [],
    },
  }
}
