import pg from 'pg'
import { camelCase, type ParseText } from '../column-names.ts'
import { typesAsNumbers } from './pool.ts'
import type { Column } from './statement-run.ts'

const { INT2, INT4, INT8, TEXT, VARCHAR } = pg.types.builtins
const MINUS = '-'.charCodeAt(0)
const ZERO = '0'.charCodeAt(0)
const LENGTH_BYTES = 4
const COUNT_BYTES = 2

export type RowReader = (values: Values) => unknown

/** Reads a row of these columns, with the names of the code; a function of its own for each statement, like `rowMaker`. */
export function rowReader(columns: Column[]): RowReader {
  const parsers = columns.map(({ dataTypeID }) => typesAsNumbers.getTypeParser(dataTypeID))
  const entries = columns.map(
    ({ name, dataTypeID }, i) => `${JSON.stringify(camelCase(name))}: ${reading(dataTypeID, i)}`,
  )
  return new Function('parsers', `return (values) => ({ ${entries.join(', ')} })`)(parsers)
}

function reading(dataTypeID: number, column: number): string {
  if ([INT2, INT4, INT8].includes(dataTypeID)) return 'values.integer()'
  if ([TEXT, VARCHAR].includes(dataTypeID)) return 'values.text()'
  return `values.parsed(parsers[${column}])`
}

/** The values of a DataRow, one after the other. */
export class Values {
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0

  /** Goes on with another row. */
  of(bytes: Buffer, start: number): this {
    this.#bytes = bytes
    this.#at = start + COUNT_BYTES
    return this
  }

  text(): string | null {
    const end = this.#end()
    if (end === undefined) return null
    const text = this.#bytes.toString('utf8', this.#at, end)
    this.#at = end
    return text
  }

  parsed(parse: ParseText): unknown {
    const text = this.text()
    return text === null ? null : parse(text)
  }

  /** From its digits, without a text in between. */
  integer(): number | null {
    const end = this.#end()
    if (end === undefined) return null
    const bytes = this.#bytes
    const isNegative = bytes[this.#at] === MINUS
    let value = 0
    for (let at = isNegative ? this.#at + 1 : this.#at; at < end; at++)
      value = value * 10 + ((bytes[at] as number) - ZERO)
    this.#at = end
    return isNegative ? -value : value
  }

  /** Of the value that begins now; undefined for null. */
  #end(): number | undefined {
    const length = this.#bytes.readInt32BE(this.#at)
    this.#at += LENGTH_BYTES
    return length < 0 ? undefined : this.#at + length
  }
}
