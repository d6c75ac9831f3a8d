import type { AppBuilding, RoleGrant } from '@hypocaust/domain'
import { DAY_MS, ENDS_AFTER_DAYS, hasChosenRooms, ROLES, type Role } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { serviceNow } from '../api/now.ts'
import { useWords } from '../i18n/index.tsx'
import { Chips } from '../ui/chips.tsx'

const NEVER = 0
const DAYS = [1, 3, 7, 14, 30, 90, 365]

const endMs = (days: number): number => serviceNow() + days * DAY_MS

/** Owners stay; who must leave some day has a day; the others may. */
const endsOf = (role: Role): number[] =>
  role === 'owner' ? [NEVER] : ENDS_AFTER_DAYS[role] === undefined ? [NEVER, ...DAYS] : DAYS

/** A role, when it ends, and the rooms of a guest. */
export function GrantFields(props: { building: AppBuilding; start: Role; roomIds: string[] | null }) {
  const { building, start, roomIds } = props
  const { t, count, format } = useWords()
  const [role, setRole] = useState(start)
  const [days, setDays] = useState<number>(ENDS_AFTER_DAYS[start] ?? NEVER)
  const ends = endsOf(role)
  return (
    <>
      <Chips
        label={t('members.role')}
        hint={t(`role.${role}_hint`)}
        name="role"
        value={role}
        choices={ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
        onChange={(next) => {
          setRole(next)
          setDays(ENDS_AFTER_DAYS[next] ?? NEVER)
        }}
      />
      {ends.length > 1 && (
        <Chips
          label={t('members.ends')}
          hint={days === NEVER ? t('members.no_end') : t('members.until', { date: format.date(endMs(days)) })}
          name="days"
          value={String(days)}
          choices={ends.map((each) => ({
            value: String(each),
            label: each === NEVER ? t('members.never') : count('members.after_days', each),
          }))}
          onChange={(next) => setDays(Number(next))}
        />
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
    until: days === NEVER ? null : new Date(endMs(days)).toISOString(),
    ...(hasChosenRooms(role) && { room_ids: form.getAll('room').map(String) }),
  }
}
