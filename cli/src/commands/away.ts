import type { Building, HypocaustClient } from '@hypocaust/client'
import { BOOST, HOUR_MS, MAX_TARGET_C, USUAL_AWAY_C } from '@hypocaust/domain/facts'
import type { Command } from 'commander'
import { UsageFailure } from '../failure.ts'
import { aboutHouse, type HouseFlags } from '../holder/house-command.ts'
import { momentFrom, spanOf } from '../holder/moment.ts'
import { asHolder, chosenBuildings, findPlace, furnishedBuildings, type Place } from '../holder/session.ts'
import { awayText, endedText, overrideText } from '../holder/words.ts'
import { printJson } from '../output.ts'
import { temperatureOf } from './set.ts'

/** What counts for a while, for rooms and for the whole house. */
export function awayCommands(program: Command): void {
  aboutHouse(program.command('boost [room...]'), 'warm a room, or all of them, for an hour: hypocaust boost bathroom')
    .option('--for <SPAN>', 'how long: 1h, 90min', `${BOOST.hours}h`)
    .action(boost)
  aboutHouse(
    program.command('away [until]'),
    'let the house cool until you return: hypocaust away 2026-12-27T18:00; without a time, until hypocaust back',
  )
    .option('--from <TIME>', 'when you leave; now unless given')
    .option('--temperature <CELSIUS>', 'how far the rooms may cool', String(USUAL_AWAY_C))
    .action(leave)
  aboutHouse(program.command('back'), 'end or cancel an absence').action(comeBack)
}

async function boost(words: string[], flags: HouseFlags & { for: string }): Promise<void> {
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

async function leave(
  until: string | undefined,
  flags: HouseFlags & { from?: string; temperature: string },
): Promise<void> {
  const nowMs = Date.now()
  const away = {
    ...(flags.from !== undefined && { from: momentFrom(flags.from, nowMs) }),
    until: until === undefined ? null : momentFrom(until, nowMs),
    target_temperature: temperatureOf(flags.temperature),
  }
  const left = await each(flags, async (client, { id }) => ({ away: await client.putAway(id, away) }))
  if (flags.json) printJson(left)
  else for (const { building, away } of left) console.log(awayText(building.name, away))
}

async function comeBack(flags: HouseFlags): Promise<void> {
  const back = await each(flags, async (client, { id }) => {
    const ended = await client.getAway(id)
    if (ended !== null) await client.deleteAway(id)
    return { away: null, ended }
  })
  if (flags.json) printJson(back)
  else for (const { building, ended } of back) console.log(endedText(building.name, ended))
}

/** For the one building named, or all. */
function each<T extends object>(flags: HouseFlags, work: (client: HypocaustClient, building: Building) => Promise<T>) {
  return asHolder(async (client) => {
    const buildings = await chosenBuildings(client, flags.building)
    return Promise.all(
      buildings.map(async (building) => ({
        building: { id: building.id, name: building.name },
        ...(await work(client, building)),
      })),
    )
  })
}
