import { type Compilable, type RawBuilder, sql } from 'kysely'
import { isStoreError, type Store } from './store.ts'

/** The number after the one that was seen. Null, which its column does not take, if it is another one by now. */
export const numberAfter = (column: string, seen: number): RawBuilder<number> =>
  sql<number>`case when ${sql.ref(column)} = ${seen} then ${sql.ref(column)} + 1 end`

/** Another process was faster: what was seen is read anew. */
export const isOutrun = (error: unknown): boolean => isStoreError(error, 'unique') || isStoreError(error, 'not_null')

/** False where another process was faster, or the row is gone. */
export async function takeNumber(store: Store, numbering: Compilable): Promise<boolean> {
  try {
    const [updated] = await store.batch([numbering])
    return updated?.affectedRows !== 0
  } catch (error) {
    if (isOutrun(error)) return false
    throw error
  }
}
