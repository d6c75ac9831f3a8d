import type { TSchema } from 'typebox'

interface AnySchema {
  examples?: unknown[]
  properties?: Record<string, TSchema>
}

/** A whole example, put together from those of the fields. */
export function exampleOf(schema: TSchema): unknown {
  const { examples, properties } = schema as AnySchema
  if (examples) return examples[0]
  return Object.fromEntries(Object.entries(properties ?? {}).map(([name, field]) => [name, exampleOf(field)]))
}
