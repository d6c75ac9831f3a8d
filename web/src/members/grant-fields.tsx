import type { AppBuilding, RoleGrant } from '@hypocaust/domain'
import { DAY_MS, ENDS_AFTER_DAYS, hasChosenRooms, ROLES, type Role } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { serviceNow } from '../api/now.ts'
import { useWords } from '../i18n/index.tsx'
import { Chips } from '../ui/chips.tsx'
import { DateField } from '../ui/date-field.tsx'
import { dayPlus } from '../ui/dates.ts'
import { localTimeOf, momentOf } from '../ui/local-time.ts'
import { ManyChips } from '../ui/many-chips.tsx'

const NEVER = 0
const DAYS = [1, 3, 7, 30, 365]
/** In place of days: a date. */
const DATE = -1
const LONGEST_DAYS = 365

const endMs = (days: number): number => serviceNow() + days * DAY_MS

/** Owners stay; who must leave some day has a day; the others may. */
const endsOf = (role: Role): number[] =>
  role === 'owner' ? [NEVER] : ENDS_AFTER_DAYS[role] === undefined ? [NEVER, ...DAYS, DATE] : [...DAYS, DATE]

/** A role, when it ends, and the rooms of a guest. */
export function GrantFields(props: { building: AppBuilding; start: Role; roomIds: string[] | null }) {
  const { building, start, roomIds } = props
  const { t, format } = useWords()
  const [role, setRole] = useState(start)
  const [days, setDays] = useState<number>(ENDS_AFTER_DAYS[start] ?? NEVER)
  const { timezone } = building
  const today = localTimeOf(serviceNow(), timezone).slice(0, 10)
  const [date, setDate] = useState(dayPlus(today, 1))
  const [roomsChosen, setRooms] = useState(roomIds ?? [])
  const ends = endsOf(role)
  const untilMs = days === DATE ? momentOf(`${date}T23:59`, timezone) : endMs(days)
  const labelOf = (each: number): string => {
    if (each === DATE) return t('members.on_date')
    return each === NEVER ? t('members.never') : t('members.after_days', { n: each })
  }
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
          hint={days === NEVER ? t('members.no_end') : t('members.until', { date: format.date(untilMs, timezone) })}
          value={String(days)}
          choices={ends.map((each) => ({
            value: String(each),
            label: labelOf(each),
          }))}
          onChange={(next) => setDays(Number(next))}
        />
      )}
      {days === DATE && (
        <DateField
          label={t('members.last_day')}
          value={date}
          min={today}
          max={dayPlus(today, LONGEST_DAYS)}
          onChange={setDate}
        />
      )}
      <input type="hidden" name="until" value={days === NEVER ? '' : new Date(untilMs).toISOString()} />
      {hasChosenRooms(role) && (
        <ManyChips
          label={t('members.rooms')}
          {...(roomsChosen.length === 0 && { hint: t('members.rooms_hint') })}
          name="room"
          choices={building.rooms.map(({ id, name }) => ({ value: id, label: name }))}
          chosen={roomsChosen}
          onChange={setRooms}
        />
      )}
    </>
  )
}

export function grantIn(form: FormData): RoleGrant {
  const role = form.get('role') as Role
  const until = String(form.get('until'))
  return {
    role,
    until: until === '' ? null : until,
    ...(hasChosenRooms(role) && { room_ids: form.getAll('room').map(String) }),
  }
}
