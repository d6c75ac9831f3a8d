import type { Compilable } from 'kysely'
import { numberAfter } from '../../store/outrun.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'

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
const replacement = statement((db, { roomId, version, state, keptAt, keptGist }: NextState & { version: number }) =>
  db
    .updateTable('controlStates')
    .set({ version: numberAfter('version', version), state, keptAt, keptGist })
    .where('roomId', '=', roomId),
)
