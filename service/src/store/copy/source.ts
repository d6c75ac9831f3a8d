import { hash } from 'node:crypto'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Row, TableShape } from './rows.ts'

/** A SQLite database to copy from, in nobody else's use. */
export class Source {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  /** All tables of the product, each after those it refers to. */
  tables(): TableShape[] {
    const names = this.#all("select name from sqlite_schema where type = 'table' order by name")
      .map(({ name }) => String(name))
      .filter((name) => !/^(sqlite|kysely)_/.test(name))
    return inOrder(names, (name) => this.#references(name)).map((name) => this.#shape(name))
  }

  /** Which database it is: no two were migrated at the same moments. */
  identity(): string {
    return hash('sha256', JSON.stringify(this.#all('select * from kysely_migration order by name')))
  }

  migrations(): string[] {
    return this.#all('select name from kysely_migration order by name').map(({ name }) => String(name))
  }

  count({ name }: TableShape): number {
    return Number(this.#all(`select count(*) as rows from ${quoted(name)}`)[0]?.rows)
  }

  /** The next rows in the order of the key. */
  after({ name, columns, key }: TableShape, last: unknown[] | null, limit: number): Row[] {
    const keys = list(key)
    const beyond = last === null ? '' : `where (${keys}) > (${key.map(() => '?').join(', ')})`
    const values = [...(last ?? []), limit] as SQLInputValue[]
    return this.#all(`select ${list(columns)} from ${quoted(name)} ${beyond} order by ${keys} limit ?`, values)
  }

  *all({ name, columns }: TableShape): Iterable<Row> {
    yield* this.#db.prepare(`select ${list(columns)} from ${quoted(name)}`).iterate() as Iterable<Row>
  }

  #shape(name: string): TableShape {
    const info = this.#all(`pragma table_info(${quoted(name)})`)
    const key = info.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk))
    if (key.length === 0) throw new Error(`the table ${name} has no key, and cannot be copied`)
    return { name, columns: info.map((column) => String(column.name)), key: key.map((column) => String(column.name)) }
  }

  #references(name: string): string[] {
    return this.#all(`pragma foreign_key_list(${quoted(name)})`).map(({ table }) => String(table))
  }

  #all(sql: string, values: SQLInputValue[] = []): Row[] {
    return this.#db.prepare(sql).all(...values)
  }
}

function inOrder(names: string[], referencesOf: (name: string) => string[]): string[] {
  const ordered = new Set<string>()
  const add = (name: string) => {
    for (const reference of referencesOf(name)) if (reference !== name && !ordered.has(reference)) add(reference)
    ordered.add(name)
  }
  for (const name of names) add(name)
  return [...ordered]
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const list = (names: string[]): string => names.map(quoted).join(', ')
