import { randomUUID } from 'node:crypto'
import type { CompiledQuery, Kysely } from 'kysely'
import type { Store } from '../../service/src/store/store.ts'
import type { Holder } from './houses.ts'

/** Those that have rows in a furnished house, each after the ones it refers to. */
const TABLES = [
  'user',
  'account',
  'session',
  'oauth_clients',
  'oauth_devices',
  'oauth_codes',
  'api_keys',
  'oauth_refresh_tokens',
  'webhooks',
  'buildings',
  'members',
  'oauth_buildings',
  'invitations',
  'screed_records',
  'calendars',
  'gateways',
  'sensors',
  'rooms',
  'programme_links',
  'valves',
  'contacts',
  'alerts',
  'change_log',
]

const OF_NO_HOUSE = ['meta', 'rate_windows']

/** The rows of a store at one moment, put back again and again, which is faster than furnishing the house anew. */
export class KeptRows {
  readonly #store: Store
  readonly #holder: Holder
  readonly #queries: CompiledQuery[]

  private constructor(store: Store, holder: Holder, queries: CompiledQuery[]) {
    this.#store = store
    this.#holder = holder
    this.#queries = queries
  }

  static async of(store: Store, holder: Holder): Promise<KeptRows> {
    // biome-ignore lint/suspicious/noExplicitAny: rows are put back as they were, the sign-in library's among them
    const db = store.db.withoutPlugins() as unknown as Kysely<any>
    const queries = ['buildings', 'user', 'oauth_clients'].map((table) => db.deleteFrom(table).compile())
    for (const table of TABLES) {
      const rows = await db.selectFrom(table).selectAll().execute()
      if (rows.length > 0) queries.push(db.insertInto(table).values(rows).compile())
    }
    for (const { name } of await db.introspection.getTables()) {
      if (TABLES.includes(name) || (await db.selectFrom(name).selectAll().limit(1).execute()).length === 0) continue
      if (!OF_NO_HOUSE.includes(name)) throw new Error(`${name} has rows: name it in testing/src/kept-rows.ts`)
    }
    return new KeptRows(store, holder, queries)
  }

  /** The holder's building, rooms and gateways get new ids, as in a house that was never there. */
  async putBack(): Promise<Holder> {
    const { buildingId, roomIds, gatewayIds } = this.#holder
    const fresh = new Map([buildingId, ...roomIds, ...gatewayIds].map((id) => [id, randomUUID()]))
    const renewed = (value: unknown) =>
      typeof value === 'string' ? value.replace(/[\da-f-]{36}/g, (id) => fresh.get(id) ?? id) : value
    const idOf = (id: string) => renewed(id) as string
    await this.#store.batch(
      this.#queries.map((query) => ({ compile: () => ({ ...query, parameters: query.parameters.map(renewed) }) })),
    )
    return {
      ...this.#holder,
      buildingId: idOf(buildingId),
      roomIds: roomIds.map(idOf),
      gatewayIds: gatewayIds.map(idOf),
    }
  }
}
