import type { Away, Building, HypocaustClient } from '@hypocaust/client'
import { BOOST, HOUR_MS, MAX_TARGET_C, USUAL_AWAY_C } from '@hypocaust/domain/facts'
import type { Command } from 'commander'
import { UsageFailure } from '../failure.ts'
import { momentFrom, spanOf } from '../holder/moment.ts'
import { asHolder, chosenBuildings, findPlace, furnishedBuildings, type Place } from '../holder/session.ts'
import { awayText, overrideText } from '../holder/words.ts'
import { printJson } from '../output.ts'
import { temperatureOf } from './set.ts'

interface Flags {
  building?: string
  json?: boolean
}

/** What counts for a while, for rooms and for the whole house. */
export function awayCommands(program: Command): void {
  shared(program.command('boost [room...]'), 'warm a room, or all of them, for an hour: hypocaust boost bathroom')
    .option('--for <SPAN>', 'how long: 1h, 90min', `${BOOST.hours}h`)
    .action(boost)
  shared(
    program.command('away [until]'),
    'let the house cool until you return: hypocaust away 2026-12-27T18:00; without a time, until hypocaust back',
  )
    .option('--from <TIME>', 'when you leave; now unless given')
    .option('--temperature <CELSIUS>', 'how far the rooms may cool', String(USUAL_AWAY_C))
    .action(leave)
  shared(program.command('back'), 'end or cancel an absence').action(comeBack)
}

const shared = (command: Command, description: string): Command =>
  command
    .description(description)
    .option('--building <NAME>', 'where there is more than one')
    .option('--json', 'print JSON')

async function boost(words: string[], flags: Flags & { for: string }): Promise<void> {
  const spanMs = spanOf(flags.for)
  if (spanMs === undefined) throw new UsageFailure(`${flags.for} is not a span of time; for example 1h or 90min`)
  const hours = spanMs / HOUR_MS
  const boosted = await asHolder(async (client) => {
    const places = await placesOf(client, words, flags.building)
    return Promise.all(
      places.map(async ({ building, room }) => {
        const target_temperature = Math.min(MAX_TARGET_C, room.target_temperature + BOOST.kelvin)
        const override = await client.putOverride(building.id, room.id, { target_temperature, hours })
        return { room: { id: room.id, name: room.name }, override }
      }),
    )
  })
  if (flags.json) printJson(boosted)
  else for (const { room, override } of boosted) console.log(overrideText(room.name, override))
}

async function placesOf(client: HypocaustClient, words: string[], buildingName?: string): Promise<Place[]> {
  if (words.length > 0) return [await findPlace(client, words.join(' '), buildingName)]
  const furnished = await furnishedBuildings(client, buildingName)
  return furnished.flatMap(({ building, rooms }) => rooms.map((room) => ({ building, room })))
}

async function leave(until: string | undefined, flags: Flags & { from?: string; temperature: string }): Promise<void> {
  const nowMs = Date.now()
  const away = {
    ...(flags.from !== undefined && { from: momentFrom(flags.from, nowMs) }),
    until: until === undefined ? null : momentFrom(until, nowMs),
    target_temperature: temperatureOf(flags.temperature),
  }
  await each(flags, (client, { id }) => client.putAway(id, away))
}

const comeBack = (flags: Flags): Promise<void> =>
  each(flags, (client, { id }) => client.deleteAway(id).then(() => null))

/** For the one building named, or all. */
async function each(
  flags: Flags,
  work: (client: HypocaustClient, building: Building) => Promise<Away | null>,
): Promise<void> {
  const done = await asHolder(async (client) => {
    const buildings = await chosenBuildings(client, flags.building)
    return Promise.all(
      buildings.map(async (building) => ({
        building: { id: building.id, name: building.name },
        away: await work(client, building),
      })),
    )
  })
  if (flags.json) printJson(done)
  else for (const { building, away } of done) console.log(awayText(building.name, away))
}
