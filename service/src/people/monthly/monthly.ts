import { type BuildingEnergy, dateOf, HOUR_MS, hasChosenRooms, localTime, MINUTE_MS, mayDo } from '@hypocaust/domain'
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import { type DaySpan, dayOf, energyOf } from '../../house/heat/energy.ts'
import { isActive } from '../../house/membership.ts'
import { repeat } from '../../processes/repeat.ts'
import type { Store } from '../../store/store.ts'
import { choiceOf } from '../alerts/choices.ts'
import type { Mailer } from '../notify/mail/mailer.ts'
import { type MonthlyReport, monthlyLetter } from './words.ts'

interface MonthlyParts {
  store: Store
  clock: Clock
  logger: Logger
  mailer: Mailer
}

const LOOK_EVERY_MS = HOUR_MS
const SEND_EVERY_MS = MINUTE_MS
/** Nobody reads it at night, and after a week it is no news. */
const FROM_MINUTE = 8 * 60
const UNTIL_DAY = 7
const AT_ONCE = 20
const CLAIMED_MS = 2 * MINUTE_MS
const LONGEST_PAUSE_MS = 60 * MINUTE_MS
const MOST_ATTEMPTS = 14

export function startMonthly(parts: MonthlyParts): { stop(): Promise<void> } {
  const jobs = [
    repeat(LOOK_EVERY_MS, () => noteDue(parts), parts.logger),
    repeat(SEND_EVERY_MS, () => sendSome(parts), parts.logger),
  ]
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()))
    },
  }
}

/** Schedules the mails about the month before: one row for each person and building, also when several processes do it. */
export async function noteDue({ store, clock }: MonthlyParts): Promise<void> {
  const { db } = store
  const nowMs = clock.now()
  const members = await db
    .selectFrom('members')
    .innerJoin('buildings', 'buildings.id', 'members.buildingId')
    .innerJoin('notificationChoices', 'notificationChoices.accountId', 'members.accountId')
    .select(['members.accountId', 'members.buildingId', 'members.role', 'buildings.timezone'])
    .where('notificationChoices.mail', '=', 1)
    .where('notificationChoices.monthly', '=', 1)
    .where(isActive(nowMs))
    .execute()
  for (const { accountId, buildingId, role, timezone } of members) {
    const month = monthToReport(timezone, nowMs)
    if (month === null || hasChosenRooms(role) || !mayDo(role, 'alerts')) continue
    await db
      .insertInto('monthlyMails')
      .values({ accountId, buildingId, month, dueAt: nowMs, attempts: 0 })
      .onConflict((conflict) => conflict.columns(['accountId', 'buildingId', 'month']).doNothing())
      .execute()
  }
}

/** Of the month before, in the first days of a month; else null. */
function monthToReport(timezone: string, nowMs: number): string | null {
  const { day, minuteOfDay } = localTime(timezone, nowMs)
  const dayOfMonth = Number(dateOf(day).slice(8))
  if (dayOfMonth > UNTIL_DAY || minuteOfDay < FROM_MINUTE) return null
  return dateOf(day - dayOfMonth).slice(0, 7)
}

type Due = Awaited<ReturnType<typeof dueMails>>[number]

export async function sendSome(parts: MonthlyParts): Promise<void> {
  const due = await dueMails(parts.store, parts.clock.now())
  await Promise.all(due.map((mail) => sendOne(parts, mail)))
}

const dueMails = ({ db }: Store, nowMs: number) =>
  db
    .selectFrom('monthlyMails')
    .innerJoin('buildings', 'buildings.id', 'monthlyMails.buildingId')
    .innerJoin('user', 'user.id', 'monthlyMails.accountId')
    .leftJoin('members', (join) =>
      join
        .onRef('members.buildingId', '=', 'monthlyMails.buildingId')
        .onRef('members.accountId', '=', 'monthlyMails.accountId')
        .on(isActive(nowMs)),
    )
    .select(['monthlyMails.accountId', 'monthlyMails.buildingId', 'month', 'monthlyMails.dueAt', 'attempts'])
    .select(['buildings.name', 'user.email', 'members.role'])
    .where('monthlyMails.dueAt', '<=', nowMs)
    .orderBy('monthlyMails.dueAt')
    .limit(AT_ONCE)
    .execute()

async function sendOne(parts: MonthlyParts, mail: Due): Promise<void> {
  const { clock, logger } = parts
  if (!(await claim(parts, mail))) return
  try {
    await send(parts, mail)
    await settle(parts, mail, null)
  } catch (err) {
    const attempts = mail.attempts + 1
    logger.warn({ err, attempts }, 'a monthly mail could not be sent')
    const pauseMs = Math.min(LONGEST_PAUSE_MS, MINUTE_MS * 2 ** mail.attempts)
    await settle(parts, mail, attempts >= MOST_ATTEMPTS ? null : clock.now() + pauseMs)
  }
}

/** Of several processes one changes the row it has read; the others find it changed. */
async function claim({ store, clock }: MonthlyParts, mail: Due): Promise<boolean> {
  const { accountId, buildingId, month, dueAt, attempts } = mail
  const { numUpdatedRows } = await store.db
    .updateTable('monthlyMails')
    .set({ dueAt: clock.now() + CLAIMED_MS, attempts: attempts + 1 })
    .where('accountId', '=', accountId)
    .where('buildingId', '=', buildingId)
    .where('month', '=', month)
    .where('dueAt', '=', dueAt)
    .where('attempts', '=', attempts)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function settle({ store }: MonthlyParts, { accountId, buildingId, month }: Due, dueAt: number | null) {
  await store.db
    .updateTable('monthlyMails')
    .set({ dueAt })
    .where('accountId', '=', accountId)
    .where('buildingId', '=', buildingId)
    .where('month', '=', month)
    .execute()
}

/** Nothing for a person who has left or does not want it any more, nor for a month without heat. */
async function send(parts: MonthlyParts, mail: Due): Promise<void> {
  const { store, mailer } = parts
  const { accountId, buildingId, month, name, email, role } = mail
  const choice = await choiceOf(store, accountId)
  if (!choice?.mail || choice.monthly === false || role === null || !mayDo(role, 'alerts')) return
  const energy = await energyOf(store, buildingId, daysOfMonth(month), () => true)
  if (energy.heat === null) return
  const before = await energyOf(store, buildingId, daysOfMonth(monthBefore(month)), () => true)
  const report: MonthlyReport = {
    building: { id: buildingId, name },
    month,
    energy: { ...energy, heat: energy.heat },
    before: isWhole(before) ? before.heat : null,
    saving: savingIn(energy),
  }
  const id = `monthly.${month}.${buildingId}.${accountId}`
  await mailer.send(email, monthlyLetter(choice.language, report, mailer.publicUrl), id)
}

/** Of the room that took the most. */
function savingIn({ rooms }: BuildingEnergy): MonthlyReport['saving'] {
  const most = rooms.toSorted((a, b) => (b.heat ?? 0) - (a.heat ?? 0))[0]
  if (!most?.savings) return null
  const { target_temperature: targetC, half_degree_less } = most.savings
  return { room: most.name, targetC, ...half_degree_less }
}

function daysOfMonth(month: string): DaySpan {
  const [year, index] = month.split('-').map(Number) as [number, number]
  return { from: `${month}-01`, to: new Date(Date.UTC(year, index, 0)).toISOString().slice(0, 10) }
}

const monthBefore = (month: string): string => dateOf(dayOf(`${month}-01`) - 1).slice(0, 7)

/** Every day of it was counted in every room, so that two months can be compared. */
const isWhole = ({ from, to, rooms }: Awaited<ReturnType<typeof energyOf>>): boolean =>
  rooms.length > 0 && rooms.every(({ days }) => days.length === dayOf(to) - dayOf(from) + 1)
