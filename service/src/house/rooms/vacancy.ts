import { type Occupant, type PresenceRule, type Vacancy, vacancyOf } from '@hypocaust/domain'
import type { Selectable } from 'kysely'
import { parsedOnce } from '../../base/parsed-once.ts'
import type { BuildingTable } from '../../store/tables/building.ts'
import type { RoomTable } from '../../store/tables/rooms.ts'

/** The columns in which a building keeps who is home, and what follows when nobody is. */
export const PRESENCE_COLUMNS = ['presence', 'presenceRule'] as const
export type PresenceRow = Pick<Selectable<BuildingTable>, (typeof PRESENCE_COLUMNS)[number]>

/** Those in which a room keeps who uses it, and how far it may cool. */
export const VACANCY_COLUMNS = ['usedBy', 'warmAgainK'] as const
type VacancyRow = Pick<Selectable<RoomTable>, 'id' | (typeof VACANCY_COLUMNS)[number]>

const MOST_KEPT = 5000
const usersOf = parsedOnce<string[]>(MOST_KEPT)

export const occupantsOf = ({ presence }: PresenceRow): Occupant[] =>
  presence === null ? [] : (JSON.parse(presence) as Occupant[])

export const presenceRuleOf = ({ presenceRule }: Pick<PresenceRow, 'presenceRule'>): PresenceRule | null =>
  presenceRule === null ? null : (JSON.parse(presenceRule) as PresenceRule)

/** When a room is not used, by who is home. */
export function vacancyIn(building: PresenceRow, { id, usedBy, warmAgainK }: VacancyRow): Vacancy | null {
  const rule = building.presence === null ? null : presenceRuleOf(building)
  if (!rule) return null
  const { after_minutes: afterMinutes, target_temperature: targetC } = rule
  return vacancyOf(
    occupantsOf(building),
    { afterMinutes, targetC },
    usedBy === null ? null : usersOf(id, usedBy),
    warmAgainK,
  )
}
