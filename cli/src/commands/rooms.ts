import type { HypocaustClient, HypocaustError } from '@hypocaust/client'
import type { Command } from 'commander'
import { UsageFailure } from '../failure.ts'
import { LiveScreen } from '../holder/live-screen.ts'
import { roomsTable } from '../holder/rooms-table.ts'
import { asHolder, chosenBuildings, type Furnished, furnishedBuildings } from '../holder/session.ts'
import { BACK_TEXT, troubleText } from '../holder/words.ts'
import { printJson } from '../output.ts'

interface RoomsFlags {
  building?: string
  watch?: boolean
  interval: string
  json?: boolean
}

export function roomsCommand(program: Command): void {
  program
    .command('rooms')
    .description('show the rooms: temperature, target, and what the floor is doing')
    .option('--building <NAME>', 'only this building')
    .option('--watch', 'stay, and show what changes')
    .option('--interval <SECONDS>', 'how often --watch looks where the service cannot report changes', '30')
    .option('--json', 'print JSON; with --watch one line a change')
    .action(async (flags: RoomsFlags) => {
      const intervalMs = intervalOf(flags.interval)
      await asHolder((client) => (flags.watch ? follow(client, flags, intervalMs) : showOnce(client, flags)))
    })

  program
    .command('room-names', { hidden: true })
    .description('the names of all rooms, for the completion of a shell')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const names = (await asHolder((client) => furnishedBuildings(client))).flatMap(({ rooms }) =>
        rooms.map(({ name }) => name),
      )
      if (json) printJson(names)
      else if (names.length > 0) console.log(names.join('\n'))
    })
}

function intervalOf(text: string): number {
  const seconds = Number(text)
  if (!(seconds >= 1 && seconds <= 3600))
    throw new UsageFailure('--interval must be a number of seconds from 1 to 3600')
  return seconds * 1000
}

async function showOnce(client: HypocaustClient, { building, json }: RoomsFlags): Promise<void> {
  const furnished = await furnishedBuildings(client, building)
  if (json) printJson(furnished.map(flat))
  else console.log(tableOf(furnished, process.stdout.columns ?? Number.POSITIVE_INFINITY))
}

/** Until Ctrl-C. On a terminal a picture that renews itself; elsewhere each change below the last. */
async function follow(client: HypocaustClient, { building, json }: RoomsFlags, intervalMs: number): Promise<void> {
  const buildings = await chosenBuildings(client, building)
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  const show = json ? jsonLines() : process.stdout.isTTY ? livePicture(stop.signal) : changingTable()
  const seen = new Map<string, Furnished>()
  const troubled = new Set<string>()
  const watchOne = async (id: string) => {
    const onTrouble = (error: HypocaustError) => {
      if (troubled.size === 0) show.lost(error)
      troubled.add(id)
    }
    for await (const { building, rooms } of client.watch(id, { intervalMs, signal: stop.signal, onTrouble })) {
      const furnished = { building, rooms }
      const isSame = isShownAs(seen.get(id), furnished)
      seen.set(id, furnished)
      if (troubled.delete(id) && troubled.size === 0) show.back()
      else if (isSame) continue
      const known = buildings.flatMap((each) => seen.get(each.id) ?? [])
      show.change(furnished, known)
    }
  }
  try {
    await Promise.all(buildings.map(({ id }) => watchOne(id)))
  } finally {
    stop.abort()
  }
}

/** An outlook or a heartbeat may have changed, which is not shown. */
const isShownAs = (before: Furnished | undefined, after: Furnished): boolean =>
  before !== undefined && shownText(before) === shownText(after)

const shownText = ({ building: { last_seen: _, ...building }, rooms }: Furnished): string =>
  JSON.stringify([building, rooms])

interface Show {
  change(changed: Furnished, all: Furnished[]): void
  lost(error: HypocaustError): void
  back(): void
}

/** Beside the data, which a program may read. */
const connectionLines = {
  lost: (error: HypocaustError) => console.error(`hypocaust: ${troubleText(error)}`),
  back: () => console.error(`hypocaust: ${BACK_TEXT}`),
}

const jsonLines = (): Show => ({
  change: (changed) => console.log(JSON.stringify(flat(changed))),
  ...connectionLines,
})

const changingTable = (): Show => ({
  change: (_changed, all) => console.log(`${tableOf(all, Number.POSITIVE_INFINITY)}\n`),
  ...connectionLines,
})

const ENDS_TEXT = 'Ctrl-C ends.'

function livePicture(signal: AbortSignal): Show {
  const screen = new LiveScreen(process.stdout)
  let all: Furnished[] = []
  let footer = ENDS_TEXT
  const draw = () => screen.draw(tableOf(all, screen.width), footer)
  screen.start()
  // The ages in it grow by themselves.
  const everySecond = setInterval(draw, 1000)
  process.stdout.on('resize', draw)
  const end = () => {
    clearInterval(everySecond)
    process.stdout.off('resize', draw)
    screen.stop(tableOf(all, screen.width))
  }
  signal.addEventListener('abort', end, { once: true })
  return {
    change: (_changed, known) => {
      all = known
      draw()
    },
    lost: (error) => {
      footer = troubleText(error)
      draw()
    },
    back: () => {
      footer = `${BACK_TEXT} ${ENDS_TEXT}`
      draw()
    },
  }
}

const flat = ({ building, rooms }: Furnished) => ({ ...building, rooms })

const tableOf = (furnished: Furnished[], width: number): string =>
  roomsTable(furnished, {
    nowMs: Date.now(),
    width,
    isColoured: process.stdout.isTTY === true && process.stdout.hasColors(),
  })
