import { type Compilable, sql } from 'kysely'
import { statement } from '../../store/statement.ts'
import { isStoreError, type Store } from '../../store/store.ts'

interface NextState {
  roomId: string
  /** Null: the room has none yet. */
  version: number | null
  state: string
  keptAt: number | null
  keptGist: string | null
}

/** The state that follows the version given. Refused where another process has written one meanwhile. */
export function nextState(store: Store, { version, ...next }: NextState): Compilable {
  return version === null ? first.with(store, next) : replacement.with(store, { version, ...next })
}

const first = statement((db, { roomId, state, keptAt, keptGist }: Omit<NextState, 'version'>) =>
  db.insertInto('controlStates').values({ roomId, version: 1, state, keptAt, keptGist }),
)

/** One row in place of another would be two writes in every index, and a look at the room it belongs to. */
const replacement = statement((db, { roomId, version, state, keptAt, keptGist }: NextState) =>
  db
    .updateTable('controlStates')
    // Null for another version, which the column does not take.
    .set({ version: sql<number>`case when version = ${version} then version + 1 end`, state, keptAt, keptGist })
    .where('roomId', '=', roomId),
)

/** Another process was faster with the room: its state is read anew. */
export const isOutrun = (error: unknown): boolean => isStoreError(error, 'unique') || isStoreError(error, 'not_null')
