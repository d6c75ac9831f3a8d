import { expect, test } from 'vitest'
import { rowsByKey } from '../src/store/rows-by-key.ts'
import { sqliteStatements } from '../src/store/sqlite/statements.ts'
import type { Statement } from '../src/store/statement.ts'
import type { Store } from '../src/store/store.ts'

const ROWS = [
  { buildingId: 'a', room: 'kitchen' },
  { buildingId: 'b', room: 'bath' },
  { buildingId: 'a', room: 'hall' },
]

test('buildings asked for in one turn are read by one query, and each gets its own rows in their order', async () => {
  const asked: string[][] = []
  const all = async (_: Store, { keys }: { keys: unknown }) => {
    asked.push(JSON.parse(keys as string))
    return ROWS
  }
  const statement = { all } as unknown as Statement<{ keys: unknown }, (typeof ROWS)[number]>
  const store = { statements: sqliteStatements(undefined as never) } as Store
  const rowsOf = rowsByKey(statement, ({ buildingId }) => buildingId)
  const found = await Promise.all(['a', 'c', 'b', 'a'].map((buildingId) => rowsOf(store, buildingId)))
  expect(found.map((rows) => rows.map(({ room }) => room))).toEqual([
    ['kitchen', 'hall'],
    [],
    ['bath'],
    ['kitchen', 'hall'],
  ])
  expect(asked).toEqual([['a', 'c', 'b']])
})
