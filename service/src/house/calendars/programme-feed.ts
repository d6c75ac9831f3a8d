import { localTime, momentOf, type ScheduledSetpoint, scheduleOf } from '@hypocaust/domain'
import ICAL from 'ical.js'
import { errors } from '../../base/errors.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { HOUSE_COLUMNS, SCHEDULE_COLUMNS, scheduleInputsOf } from '../rooms/schedule-inputs.ts'

/** Seen by whoever subscribes: four weeks are enough to look ahead. */
const AHEAD_DAYS = 28

const roomOf = statement((db, { roomId }: { roomId: string }) =>
  db
    .selectFrom('rooms')
    .innerJoin('buildings', 'buildings.id', 'rooms.buildingId')
    .select(['rooms.id', 'rooms.name', 'buildings.revisedAt', ...SCHEDULE_COLUMNS, ...HOUSE_COLUMNS])
    .where('rooms.id', '=', roomId),
)

/**
 * What a room is planned to be for four weeks, as a calendar: programme, absences and calendars, without what somebody
 * set for a while and who is home. It is the same all day unless something is changed.
 */
export async function programmeFeed(store: Store, roomId: string, nowMs: number): Promise<string> {
  const row = await roomOf.first(store, { roomId })
  if (!row) throw errors.noSuchRoom(roomId)
  const { timezone } = row
  const today = localTime(timezone, nowMs).day
  const planned = { override: null, hold: null, vacancy: null, steering: { kind: 'automatic' } } as const
  const schedule = scheduleOf(
    { ...scheduleInputsOf(row, row), ...planned },
    momentOf(timezone, today, 0),
    momentOf(timezone, today + AHEAD_DAYS, 0),
  )
  const calendar = new ICAL.Component('vcalendar')
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('prodid', '-//Hypocaust//Programme//EN')
  calendar.addPropertyWithValue('x-wr-calname', row.name)
  for (const setpoint of schedule) calendar.addSubcomponent(eventOf(row, setpoint))
  return `${calendar.toString()}\r\n`
}

function eventOf(
  { id, name, revisedAt }: { id: string; name: string; revisedAt: number },
  { fromMs, untilMs, setpointC }: ScheduledSetpoint,
): ICAL.Component {
  const event = new ICAL.Component('vevent')
  event.addPropertyWithValue('uid', `${id}-${fromMs}@hypocaust`)
  event.addPropertyWithValue('dtstamp', utc(revisedAt))
  event.addPropertyWithValue('dtstart', utc(fromMs))
  event.addPropertyWithValue('dtend', utc(untilMs))
  event.addPropertyWithValue('summary', `${name} ${setpointC.toFixed(1)} °C`)
  event.addPropertyWithValue('transp', 'TRANSPARENT')
  return event
}

const utc = (ms: number): ICAL.Time => ICAL.Time.fromJSDate(new Date(ms), true)
