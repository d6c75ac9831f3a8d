import {
  AFTER_TEMP,
  BEFORE_TEMP,
  COMPOUND,
  ENCLOSED,
  INSTRUMENT,
  JOINED,
  NO_ROOM_THERMOSTAT,
  NOT_A_ROOM,
  SETTING,
} from './not-a-room-words.ts'

/** What makes it a room's whatever device measures it; only a setting, or another inside, speaks against it. */
const A_ROOM = /(?:^|_)(?:room|indoor|inside)_(?:ambient_|air_)?temp/

/** A radiator with a thermostat measures the room. */
const RADIATOR_THERMOSTAT = /radiator(?=.*thermostat)|(?<=thermostat.*)radiator/g

/** A thermostat is named after what it heats with, and measures the room. */
const HEATS_WITH =
  /(?:under)?floor|ufh|fussboden(?:heizung)?|bodenheizung|vloerverwarming|g[ou]lvvarme|plancher|heizkreis|radiator|heater|heat[^a-z0-9]*pump|wae?rmepumpe|varmepumpe?|warmtepomp|boiler|kessel|ketel|chaudiere|caldaia|manifold|remote|gas/g

/** The Italian bedroom is no video camera, and the thermometers of SwitchBot are called Meter. */
const ROOM_WORDS = /camera(?=.*temperatura)|(?<=switchbot[^a-z]*)meter/g

/** `first_floor` and `sous_sol` are storeys and no floor probes. */
const STOREY =
  /sous[^a-z0-9]*sol|(?:ground|first|second|third|top|upper|lower|main|\d+(?:st|nd|rd|th)?)[^a-z0-9]*floor/g

/** Why a temperature of that name is not a room's, or undefined when nothing speaks against it. */
export function notARoom(name: string): string | undefined {
  const plain = plainOf(name).replace(RADIATOR_THERMOSTAT, '')
  const joined = JOINED.find(([form]) => form.test(plain))
  if (joined) return joined[1]
  for (const [, before = '', after = ''] of plain.matchAll(COMPOUND))
    if (BEFORE_TEMP.test(before) || AFTER_TEMP.test(after))
      return 'water, outdoor air or a setting by its name, not the air of a room'
  return reasonIn(plain, A_ROOM.test(plain.replace(/[^a-z0-9]+/g, '_')) ? [SETTING, ENCLOSED] : NOT_A_ROOM)
}

/** Why a thermostat of that name does not measure a room, or undefined when nothing speaks against it. */
export const notARoomThermostat = (name: string): string | undefined =>
  reasonIn(plainOf(name).replace(HEATS_WITH, ''), NO_ROOM_THERMOSTAT)

const plainOf = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replace(STOREY, '')
    .replace(ROOM_WORDS, '')

function reasonIn(plain: string, reasons: readonly (readonly [RegExp, string])[]): string | undefined {
  for (const word of plain.split(/[^a-z0-9]+/)) {
    const bare = word.replace(/\d+$/, '')
    const forms = [word, bare, bare.replace(INSTRUMENT, '')].filter((form) => form !== '')
    const found = reasons.find(([words]) => forms.some((form) => words.test(form)))
    if (found) return found[1]
  }
  return undefined
}

/** Whether a name says temperature at all. */
export const namesTemperature = (name: string): boolean =>
  /temp(?:$|[^a-z])|temperatu|teplota|l[aä]mp[oö]tila|^t\d?$/i.test(name)
