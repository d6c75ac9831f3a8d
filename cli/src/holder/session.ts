import { type Building, HypocaustClient, HypocaustError, type Room } from '@hypocaust/client'
import { Failure, type FailureKind, NotFound, UsageFailure } from '../failure.ts'
import { isConfirmed } from '../input.ts'
import { readLogin } from './login.ts'
import { matchName } from './match.ts'
import { trust } from './trust.ts'

export interface Furnished {
  building: Building
  rooms: Room[]
}

export interface Place {
  building: Building
  room: Room
}

/** Runs work with the client of the logged-in account; an error is printed with what to do about it. */
export async function asHolder<T>(work: (client: HypocaustClient) => Promise<T>): Promise<T> {
  const { url, key, ca } = readLogin(process.env)
  if (ca !== undefined) trust(ca)
  return helpfully(url, () => work(new HypocaustClient({ baseUrl: url, apiKey: key })))
}

export async function helpfully<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof HypocaustError) throw new Failure(inWords(error, url), kindOf(error), error.code)
    throw error
  }
}

function kindOf({ code, status = 0 }: HypocaustError): FailureKind {
  if (code === 'not_found') return 'not_found'
  if (code === 'invalid_address') return 'usage'
  return status >= 400 && status < 500 ? 'refused' : status === 0 ? 'no_connection' : 'failed'
}

function inWords({ code, message, cause }: HypocaustError, url: string): string {
  switch (code) {
    case 'invalid_api_key':
      return `the key is not valid, or not any more. Log in with another: hypocaust login ${url}`
    case 'read_only_key':
      return `this key may only read. Log in with one that may write: hypocaust login ${url}`
    case 'no_connection':
    case 'timeout':
      return `${message}. ${adviceFor(cause, url)}`
    default:
      return message
  }
}

function adviceFor(cause: unknown, url: string): string {
  const why = String((cause as { cause?: { code?: string } } | undefined)?.cause?.code)
  if (why === 'ERR_SSL_WRONG_VERSION_NUMBER') return `It does not speak https; try ${url.replace('https:', 'http:')}`
  if (/CERT|ISSUER|ALTNAME/.test(why))
    return 'Its certificate is not trusted here; name who signed it: NODE_EXTRA_CA_CERTS=FILE'
  return 'Is the service running, and is the address right?'
}

/** The buildings of the key with their rooms, or the one building asked for. */
export async function furnishedBuildings(client: HypocaustClient, buildingName?: string): Promise<Furnished[]> {
  const buildings = await chosenBuildings(client, buildingName)
  return Promise.all(buildings.map(async (building) => ({ building, rooms: await client.listRooms(building.id) })))
}

export async function chosenBuildings(client: HypocaustClient, name: string | undefined): Promise<Building[]> {
  const buildings = await client.listBuildings()
  if (buildings.length === 0) throw new NotFound('the key is valid, but its account has no buildings yet.')
  return name === undefined ? buildings : [await pick(buildings, 'building', ({ name }) => name, name)]
}

export async function findPlace(client: HypocaustClient, roomName: string, buildingName?: string): Promise<Place> {
  const furnished = await furnishedBuildings(client, buildingName)
  const places = furnished.flatMap(({ building, rooms }) => rooms.map((room) => ({ building, room })))
  const label = ({ building, room }: Place) => (furnished.length > 1 ? `${room.name} (${building.name})` : room.name)
  return pick(places, 'room', ({ room }) => room.name, roomName, label)
}

/** The one that a typed name stands for. */
export async function pick<T>(
  items: T[],
  what: string,
  nameOf: (item: T) => string,
  typed: string,
  label = nameOf,
): Promise<T> {
  const match = matchName(items, nameOf, typed)
  const listed = (among: T[]) => among.map((item) => `\n  ${label(item)}`).join('')
  switch (match.kind) {
    case 'one':
      return match.item
    case 'several':
      throw new UsageFailure(
        `“${typed}” can be more than one ${what}:${listed(match.items)}${narrower(match.items, nameOf)}`,
      )
    case 'near': {
      const [only, ...others] = match.items as [T, ...T[]]
      const missing = `there is no ${what} “${typed}”`
      if (others.length === 0 && (await isConfirmed(`${missing}. Use ${label(only)}?`))) return only
      throw new NotFound(`${missing}. Did you mean:${listed(match.items)}`)
    }
    case 'none':
      throw new NotFound(`there is no ${what} “${typed}”. There are:${listed(items)}`)
  }
}

const narrower = <T>(items: T[], nameOf: (item: T) => string): string =>
  new Set(items.map(nameOf)).size < items.length ? '\nSay which building with --building NAME' : ''
