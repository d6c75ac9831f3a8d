import type { AppAlert, AppBuilding, AppOutlook, AppRoom, Outlook, Room, RoomExplanation } from '@hypocaust/domain'
import type { Formats } from '../../web/src/i18n/formats.ts'
import type { Translate } from '../../web/src/i18n/translator.ts'
import { actsInWords } from '../../web/src/room/acts-words.ts'
import { sentence } from '../../web/src/room/explanation-words.ts'
import { outlookInWords } from '../../web/src/room/outlook-words.ts'
import { promiseInWords } from '../../web/src/room/promise-words.ts'
import { houseInWords } from '../../web/src/room/words.ts'

/** What the pages are made of at a moment, and what `/v1` says of the same. */
export interface RoomMoment {
  app: { room: AppRoom; outlook: AppOutlook; explanation: RoomExplanation }
  v1: { room: Room; outlook: Outlook; explanation: RoomExplanation }
}

export interface Language {
  name: 'en' | 'de'
  t: Translate
  format: Formats
  timeZone: string
  now: number
}

const NO_ALERTS: AppAlert[] = []

/** Where a sentence about a room and `/v1` contradict each other. */
export function ofRoom(moment: RoomMoment, words: Language): string[] {
  const { app, v1 } = moment
  const { format, now, timeZone } = words
  const acts = actsInWords(app.room, words)
  const promise = acts.isTemperature ? promiseInWords(app.outlook, words) : undefined
  const outlook = outlookInWords(app.outlook, app.room, words).join(' ')
  const why = sentence(app.explanation, words.t, format, timeZone)
  const found: string[] = []
  const expect = (isTrue: boolean, what: string) => {
    if (!isTrue) found.push(`${what} | ${acts.name} | ${promise} | ${outlook} | ${why} | ${v1.explanation.sentence}`)
  }
  const known = degreesOf(format, [
    v1.room.current_temperature,
    v1.room.sensor?.temperature,
    v1.outlook.setpoint,
    v1.outlook.next?.setpoint,
    v1.outlook.next_expected,
  ])
  const times = [
    v1.outlook.reached_at,
    v1.outlook.next?.at,
    v1.outlook.next_reached_at,
    app.outlook.warm_up?.heats_from,
  ]
  const clocks = times.flatMap((at) => (at ? [format.until(Date.parse(at), now, timeZone)] : []))
  // A rate of warming is no temperature.
  const said = `${promise ?? ''} ${outlook}`.replace(
    /(?:about|etwa|rund|um) [\d.,]+° (?:an hour|pro Stunde|in der Stunde)/g,
    '',
  )
  for (const degrees of said.match(/−?\d+[.,]\d°/g) ?? [])
    expect(known.has(degrees), `${degrees} is none of ${[...known].join(', ')}`)
  for (const clock of said.match(/\d\d:\d\d/g) ?? [])
    expect(
      clocks.some((each) => each.includes(clock)),
      `${clock} is none of ${clocks.join(', ')}`,
    )
  expect(
    app.outlook.activity === v1.outlook.activity,
    `outlooks differ: ${app.outlook.activity}, ${v1.outlook.activity}`,
  )
  expect(
    v1.outlook.activity === v1.explanation.activity,
    `outlook ${v1.outlook.activity}, explanation ${v1.explanation.activity}, ${v1.explanation.power} ${v1.explanation.share}`,
  )
  const shares = [v1.explanation.power, v1.explanation.share].map((share) => format.percent(share))
  const isOff = v1.room.hvac_mode === 'off' || v1.outlook.activity === 'off' || v1.outlook.activity === 'frost'
  const isManual = v1.outlook.activity === 'manual'
  const isHeld = /^loop/.test(v1.outlook.activity)
  if (isOff || isManual || isHeld) {
    expect(promise === undefined || !acts.isTemperature, 'a promise without the control')
    expect(!acts.isTemperature, 'a temperature is aimed for without the control')
    if (!app.room.override) expect(v1.outlook.next === null || isHeld, 'v1 promises a next setpoint')
  }
  for (const share of why.match(/\d+\u00a0%/g) ?? [])
    expect(shares.includes(share), `${share} is none of ${shares.join()}`)
  // Both languages are made of the same sentences; what these say is looked at in one.
  if (words.name !== 'en') return found
  if (v1.room.power === 0)
    expect(!/Heating (?:to|for|with)|heats the pipes/.test(outlook), 'said to heat, and does not')
  else expect(!/without heating|is closed at the moment|Not heating/.test(outlook), 'said not to heat, and does')
  if (v1.outlook.activity === 'warming_ahead') expect(!/Heating begins/.test(outlook), 'begins, and has begun')
  if (isHeld)
    expect(!/is off|turned off|Switched off/.test(`${outlook} ${why} ${v1.explanation.sentence}`), 'off in a search')
  if (v1.outlook.activity === 'base_warmth')
    expect(!/Heating to keep/.test(outlook), 'base warmth said to keep the room warm')
  if (v1.outlook.activity === 'between_openings') expect(!/warm enough/.test(outlook), 'a pause said to be warm enough')
  return found
}

/** The first line names the time for which rooms warm up, unless all of it is about something else. */
const warmingFor = ({ available, away, loop_run }: AppBuilding): boolean =>
  available === true && away === null && loop_run === null

const timesOf = (outlook: AppOutlook | undefined, { format, timeZone }: Language): string[] =>
  [outlook?.next?.at, outlook?.warm_up?.at].flatMap((at) => (at ? [format.clock(Date.parse(at), timeZone)] : []))

function degreesOf(format: Formats, values: (number | null | undefined)[]): Set<string> {
  return new Set(values.flatMap((value) => (value == null ? [] : [`${format.degrees(value)}°`])))
}

/** Where the first line of home and `/v1`, or the line of a tile, contradict each other. */
export function ofHouse(
  building: AppBuilding,
  rooms: Room[],
  outlooks: Record<string, AppOutlook>,
  words: Language,
): string[] {
  const { text } = houseInWords(building, NO_ALERTS, words.now, words)
  const found: string[] = []
  const expect = (isTrue: boolean, what: string) => {
    if (!isTrue) found.push(`${what} | ${text}`)
  }
  const heated = rooms.filter(({ power }) => power > 0)
  const named = rooms.filter(({ name }) => text.includes(name))
  for (const { name, power } of named) expect(power > 0, `${name} is named and not heated`)
  const promised = heated.flatMap(({ id }) => timesOf(outlooks[id], words))
  for (const clock of warmingFor(building) ? (text.match(/\d\d:\d\d/g) ?? []) : [])
    expect(promised.includes(clock), `${clock} is none of ${promised.join(', ')}`)
  if (words.name !== 'en') return found
  const own = building.rooms.filter(({ only_watch }) => !only_watch)
  const areAllOff = own.length === rooms.length && rooms.every(({ hvac_mode }) => hvac_mode === 'off')
  if (/Everything is fine/.test(text)) expect(!areAllOff, 'fine, and all rooms are off')
  if (/No room is being heated/.test(text)) expect(heated.length === 0, 'no room is said to be heated')
  const counted = [...text.matchAll(/(\d+) (?:more )?rooms? (?:is|are) (?:being heated|warming up)/g)]
  if (counted.length > 0)
    expect(
      counted.reduce((sum, [, n]) => sum + Number(n), named.length) === heated.length,
      `${heated.length} rooms are heated`,
    )
  expect(
    /search for loops/.test(text) === (building.loop_run?.kind === 'loop-search' && building.available === true),
    'the search',
  )
  return found
}
