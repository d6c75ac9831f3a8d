import type { AppBuilding, RoleGrant } from '@hypocaust/domain'
import { DAY_MS, ENDS_AFTER_DAYS, hasChosenRooms, ROLES, type Role } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { serviceNow } from '../api/now.ts'
import { useWords } from '../i18n/index.tsx'
import { Select } from '../ui/basics.tsx'

const NEVER = 0
const DAYS = [1, 3, 7, 14, 30, 90, 365]

/** Owners stay; who must leave some day has a day; the others may. */
const endsOf = (role: Role): number[] =>
  role === 'owner' ? [NEVER] : ENDS_AFTER_DAYS[role] === undefined ? [NEVER, ...DAYS] : DAYS

/** A role, when it ends, and the rooms of a guest. */
export function GrantFields(props: { building: AppBuilding; start: Role; roomIds: string[] | null }) {
  const { building, start, roomIds } = props
  const { t } = useWords()
  const [role, setRole] = useState(start)
  const ends = endsOf(role)
  return (
    <>
      <Select
        label={t('members.role')}
        hint={t(`role.${role}_hint`)}
        name="role"
        value={role}
        onChange={(event) => setRole(event.target.value as Role)}
      >
        {ROLES.map((each) => (
          <option key={each} value={each}>
            {t(`role.${each}`)}
          </option>
        ))}
      </Select>
      {ends.length > 1 && (
        <Select key={role} label={t('members.ends')} name="days" defaultValue={ENDS_AFTER_DAYS[role] ?? NEVER}>
          {ends.map((days) => (
            <option key={days} value={days}>
              {days === NEVER ? t('members.never') : t('members.after_days', { n: days })}
            </option>
          ))}
        </Select>
      )}
      {hasChosenRooms(role) && (
        <fieldset className="space-y-1">
          <legend className="text-sm font-medium">{t('members.rooms')}</legend>
          {building.rooms.map(({ id, name }) => (
            <label key={id} className="flex min-h-11 items-center gap-3">
              <input
                type="checkbox"
                name="room"
                value={id}
                defaultChecked={roomIds?.includes(id) ?? false}
                className="size-5 accent-ink"
              />
              {name}
            </label>
          ))}
        </fieldset>
      )}
    </>
  )
}

export function grantIn(form: FormData): RoleGrant {
  const role = form.get('role') as Role
  const days = Number(form.get('days') ?? NEVER)
  return {
    role,
    until: days === NEVER ? null : new Date(serviceNow() + days * DAY_MS).toISOString(),
    ...(hasChosenRooms(role) && { room_ids: form.getAll('room').map(String) }),
  }
}
