import type { MemberTable } from '../../store/tables/people.ts'

export interface MemberScope {
  buildingId: string
  accountId: string
}

/** A role with what belongs to it, as it is stored. */
export type Grant = Pick<MemberTable, 'role' | 'rooms' | 'endsAt'>
