import Type, { type Static, type TSchema } from 'typebox'
import { TIMESTAMP_PATTERN } from './patterns.ts'

/**
 * The schema or null, as one JSON Schema `type` list. A union would do for validation, but the serialiser
 * writes null as 0 for a plain number, and an invented 0 is a lie that heats a room.
 */
export function Nullable<T extends TSchema & { type: string }>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] })
}

export const OneOf = <const T extends readonly string[]>(values: T, description: string, example = values[0]) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description, examples: [example] })

/** When fields that have another name now are removed at the earliest: at least a year after their deprecation. */
export const SUNSET_MS = Date.UTC(2027, 11, 1)
export const DEPRECATED_AT_MS = Date.UTC(2026, 11, 1)

/** A field that is still sent under its old name. */
export const Renamed = <T extends TSchema>(schema: T, instead: string) =>
  Type.Unsafe<Static<T>>({
    ...schema,
    deprecated: true,
    description: `Use \`${instead}\`. This one is sent until ${timestampOf(SUNSET_MS).slice(0, 10)} at least.`,
  })

export const Timestamp = (description: string, example = '2026-01-10T08:15:03.000Z') =>
  Type.String({ format: 'date-time', pattern: TIMESTAMP_PATTERN, description, examples: [example] })

export const Uuid = (description: string, example: string) =>
  Type.String({ format: 'uuid', description, examples: [example] })

export const timestampOf = (epochMs: number): string => new Date(epochMs).toISOString()
