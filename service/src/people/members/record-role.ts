import { type RawBuilder, sql } from 'kysely'
import type { Found } from '../../house/change-log/record.ts'
import { ROLE_COLUMNS } from '../../house/change-log/settings.ts'
import type { Store } from '../../store/store.ts'
import type { Grant, MemberScope } from './grant.ts'

/** The entry of the change log for another role, a new member, or one who is none any more. Belongs before the change. */
export function roleChange({ statements }: Store, { buildingId, accountId }: MemberScope, after: Grant | null): Found {
  const stored = ROLE_COLUMNS.map(({ column }) => sql.ref(`members.${column}`))
  const given =
    after && ROLE_COLUMNS.map(({ name, type }) => sql`cast(${after[name as keyof Grant]} as ${sql.raw(type)})`)
  const isOther = given
    ? sql.join(
        stored.map((column, i) => sql`${column} is distinct from ${given[i]}`),
        sql` or `,
      )
    : sql`members.account_id is not null`
  return sql`select cast(${buildingId} as text) as building_id, cast(null as text) as room_id,
      "user".id as subject_id, "user".email as subject, 'role' as field,
      case when members.account_id is not null then ${statements.jsonArray(stored)} end as old_value,
      ${given ? statements.jsonArray(given) : sql`cast(null as text)`} as new_value
    from "user" left join members on members.account_id = "user".id and members.building_id = ${buildingId}
    where "user".id = ${accountId} and (${isOther})`
}

export function withdrawnInvitation({ statements }: Store, buildingId: string, id: string): Found {
  const values: RawBuilder<unknown>[] = ['role', 'rooms', 'ends_at'].map((column) => sql.ref(`invitations.${column}`))
  return sql`select building_id, cast(null as text) as room_id, id as subject_id, coalesce(email, '') as subject,
      'invitation' as field, ${statements.jsonArray(values)} as old_value, cast(null as text) as new_value
    from invitations where id = ${id} and building_id = ${buildingId} and accepted_by is null`
}
