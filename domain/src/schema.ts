import Type, { type Static, type TSchema } from 'typebox'

/**
 * The schema or null, as one JSON Schema `type` list. A union would do for validation, but the serialiser
 * writes null as 0 for a plain number, and an invented 0 is a lie that heats a room.
 */
export function Nullable<T extends TSchema & { type: string }>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] })
}

export const TIMESTAMP_PATTERN = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$'

export const Timestamp = (description: string, example = '2026-01-10T08:15:03.000Z') =>
  Type.String({ format: 'date-time', pattern: TIMESTAMP_PATTERN, description, examples: [example] })

export const Uuid = (description: string) =>
  Type.String({ format: 'uuid', description, examples: ['019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'] })

export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const timestampOf = (epochMs: number): string => new Date(epochMs).toISOString()
