import type { ColumnDataType } from 'kysely'

export type Engine = 'sqlite' | 'postgres'

/** Column types where the engines differ. better-auth fixes those of its own tables. */
export const columnTypes = (engine: Engine) =>
  ({
    time: engine === 'sqlite' ? 'integer' : 'bigint',
    real: engine === 'sqlite' ? 'real' : 'double precision',
    bit: engine === 'sqlite' ? 'integer' : 'smallint',
    authDate: engine === 'sqlite' ? 'date' : 'timestamptz',
    authFlag: engine === 'sqlite' ? 'integer' : 'boolean',
  }) satisfies Record<string, ColumnDataType>
