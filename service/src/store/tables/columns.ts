import type { ColumnType } from 'kysely'

/** 0 or 1: the two engines agree on integers, not on booleans. */
export type Bit = 0 | 1

export type FixedAtInsert<T> = ColumnType<T, T, never>
