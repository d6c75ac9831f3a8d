import { readFileSync } from 'node:fs'
import type { Building, Calendar, HypocaustClient, Room } from '@hypocaust/client'
import type { Command } from 'commander'
import { Failure, UsageFailure } from '../failure.ts'
import { calendarText, ruleFrom } from '../holder/calendar-words.ts'
import { aboutHouse, type HouseFlags } from '../holder/house-command.ts'
import { asHolder, chosenBuildings, type Furnished, furnishedBuildings, pick } from '../holder/session.ts'
import { firstLineOfStdin } from '../input.ts'
import { printJson } from '../output.ts'

/** Calendars that the programme follows; with a key that opens the settings of the heating control. */
export function calendarCommands(program: Command): void {
  const calendar = program.command('calendar').description('calendars that the programme follows')

  aboutHouse(calendar.command('list'), 'show the calendars, their rules and the next events').action(list)
  aboutHouse(
    calendar.command('add <name> <source>'),
    'add a calendar; the source is an https address, an .ics file, or - for an address on standard input',
  )
    .option(
      '--rule <RULE>',
      'what follows from some events, the first that applies counts; repeat it: "Holiday: away 17", "Home office: comfort 08:00-17:00", "Guests: like saturday in Guest room"',
      (rule: string, rules: string[]) => [...rules, rule],
      [],
    )
    .action(add)
  aboutHouse(calendar.command('refresh <name...>'), 'read a calendar again now').action(refresh)
  aboutHouse(calendar.command('remove <name...>'), 'remove a calendar, and what follows from it').action(remove)
}

async function list(flags: HouseFlags): Promise<void> {
  const shown = await asHolder(async (client) => {
    const furnished = await furnishedBuildings(client, flags.building)
    return Promise.all(
      furnished.map(async ({ building, rooms }) => ({
        ...{ building, rooms },
        calendars: (await client.getCalendars(building.id)).calendars,
      })),
    )
  })
  if (flags.json) return printJson(shown.map(({ building, calendars }) => ({ building: namesOf(building), calendars })))
  for (const { building, rooms, calendars } of shown) {
    console.log(calendars.length === 0 ? `${building.name}: no calendars` : `${building.name}:`)
    for (const calendar of calendars) console.log(calendarText(calendar, nameIn(rooms)))
  }
}

async function add(name: string, source: string, flags: HouseFlags & { rule: string[] }): Promise<void> {
  const typed = flags.rule.map(ruleFrom)
  if (typed.length === 0)
    throw new UsageFailure('say with --rule what follows from its events, for example --rule "Holiday: away 17"')
  const from = source === '-' ? { address: await firstLineOfStdin() } : sourceOf(source)
  const added = await asHolder(async (client) => {
    const { building, rooms } = await oneBuilding(client, flags)
    const named = async (each: string) => (await pick(rooms, 'room', (room) => room.name, each)).id
    const rules = []
    for (const { rule, rooms: names } of typed) {
      const room_ids = []
      for (const each of names ?? []) room_ids.push(await named(each))
      rules.push({ ...rule, room_ids: names && room_ids })
    }
    return { building, rooms, calendar: await client.addCalendar(building.id, { name, ...from, rules }) }
  })
  print(added, flags)
}

const sourceOf = (source: string): { address: string } | { content: string } =>
  /^(https?|webcals?):\/\//.test(source) ? { address: source } : { content: read(source) }

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`cannot read ${file}: ${(error as Error).message}`)
  }
}

async function refresh(words: string[], flags: HouseFlags): Promise<void> {
  const refreshed = await asHolder(async (client) => {
    const { building, calendar } = await findCalendar(client, words.join(' '), flags)
    const { name, rules } = calendar
    const rooms = await client.listRooms(building.id)
    return { building, rooms, calendar: await client.putCalendar(building.id, calendar.id, { name, rules }) }
  })
  print(refreshed, flags)
}

async function remove(words: string[], flags: HouseFlags): Promise<void> {
  const { building, calendar } = await asHolder(async (client) => {
    const found = await findCalendar(client, words.join(' '), flags)
    await client.deleteCalendar(found.building.id, found.calendar.id)
    return found
  })
  if (flags.json) printJson({ building: namesOf(building), calendar: { id: calendar.id, name: calendar.name } })
  else console.log(`${building.name}: removed the calendar ${calendar.name}`)
}

async function findCalendar(
  client: HypocaustClient,
  name: string,
  flags: HouseFlags,
): Promise<{ building: Building; calendar: Calendar }> {
  const buildings = await chosenBuildings(client, flags.building)
  const found = await Promise.all(
    buildings.map(async (building) => {
      const { calendars } = await client.getCalendars(building.id)
      return calendars.map((calendar) => ({ building, calendar }))
    }),
  )
  return pick(found.flat(), 'calendar', ({ calendar }) => calendar.name, name)
}

/** A calendar is of one building. */
async function oneBuilding(client: HypocaustClient, flags: HouseFlags): Promise<Furnished> {
  const furnished = await furnishedBuildings(client, flags.building)
  const [only, ...others] = furnished as [Furnished, ...Furnished[]]
  if (others.length > 0) throw new UsageFailure('say which building with --building NAME')
  return only
}

function print({ building, rooms, calendar }: Furnished & { calendar: Calendar }, { json }: HouseFlags): void {
  if (json) printJson({ building: namesOf(building), calendar })
  else console.log(calendarText(calendar, nameIn(rooms)))
}

const namesOf = ({ id, name }: Building) => ({ id, name })

const nameIn = (rooms: Room[]) => (roomId: string) => rooms.find(({ id }) => id === roomId)?.name ?? roomId
