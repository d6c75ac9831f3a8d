import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { afterAll, expect, test } from 'vitest'
import { JobWriter } from '../src/store/sqlite/job-writer.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

/** A table in which the value 13 fails as some errors of a disk do: SQLite rolls the whole transaction back by itself. */
function writerOf(name: string) {
  const file = join(folder.path, name)
  const db = new DatabaseSync(file)
  db.exec(`create table kept (value integer);
    create trigger fails before insert on kept when new.value = 13 begin select raise(rollback, 'the disk failed'); end`)
  const writer = new JobWriter(file)
  const job = (id: number, value: number) => ({
    id,
    statements: [{ sql: 'insert into kept values (?)', parameters: [value] }],
    limits: [],
  })
  return {
    commit: (...values: number[]) => writer.commit(values.map((value, i) => job(i, value))),
    kept: () =>
      db
        .prepare('select value from kept order by value')
        .all()
        .map(({ value }) => value),
    close() {
      writer.close()
      db.close()
    },
  }
}

test('where SQLite rolls everything back by itself, every job of the transaction may be tried again, and the reason is named', () => {
  const { commit, kept, close } = writerOf('rolled-back.db')
  const error = { kind: 'unavailable', message: 'the disk failed' }
  expect(commit(1, 13, 2)).toEqual([0, 1, 2].map((id) => ({ id, error })))
  expect(kept()).toEqual([])
  close()
})

test('the jobs after it are written again', () => {
  const { commit, kept, close } = writerOf('goes-on.db')
  commit(1, 13)
  expect(commit(1, 2)).toHaveLength(2)
  expect(kept()).toEqual([1, 2])
  close()
})
