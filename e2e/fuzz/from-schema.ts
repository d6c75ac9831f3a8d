import type { Interface, Schema } from '../openapi.ts'
import type { Chance } from './chance.ts'

const WRONG = 0.12
const DEEPEST = 6

/** A value of the schema, most of the time: something in it is often not. */
export function fromSchema(chance: Chance, of: Interface, schema: Schema, depth = 0): unknown {
  if (chance.one(WRONG) || depth > DEEPEST) return chance.value()
  const known = of.resolve(schema)
  const choices = known.anyOf ?? known.oneOf
  if (choices) return fromSchema(chance, of, chance.pick(choices), depth + 1)
  if (known.const !== undefined) return known.const
  if (known.enum) return chance.pick(known.enum)
  const type = Array.isArray(known.type) ? chance.pick(known.type) : known.type
  switch (type) {
    case 'object':
      return objectOf(chance, of, known, depth)
    case 'array':
      return Array.from({ length: chance.below(4) }, () => fromSchema(chance, of, known.items ?? {}, depth + 1))
    case 'integer':
    case 'number':
      return numberOf(chance, known, type === 'integer')
    case 'boolean':
      return chance.one(0.5)
    case 'null':
      return null
    case 'string':
      return textOf(chance, known)
    default:
      return known.properties ? objectOf(chance, of, known, depth) : chance.value()
  }
}

function objectOf(chance: Chance, of: Interface, schema: Schema, depth: number): unknown {
  const entries = Object.entries(schema.properties ?? {})
    .filter(([name]) => chance.one(schema.required?.includes(name) ? 0.95 : 0.5))
    .map(([name, inner]) => [name, fromSchema(chance, of, inner, depth + 1)])
  if (chance.one(0.05)) entries.push([chance.text(), chance.value()])
  return Object.fromEntries(entries)
}

function numberOf(chance: Chance, { minimum = -100, maximum = 100 }: Schema, isInteger: boolean): number {
  const edge = [minimum, maximum, minimum - 1, maximum + 1, minimum - 1e-9, 0]
  if (chance.one(0.3)) return chance.pick(edge)
  const value = minimum + (chance.below(10_000) / 10_000) * (maximum - minimum)
  return isInteger ? Math.round(value) : value
}

function textOf(chance: Chance, { format, minLength = 1, maxLength = 60 }: Schema): string {
  if (format === 'date-time') return new Date(chance.below(2 ** 31) * 1000 + 4e11).toISOString()
  if (format === 'uuid') return '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'
  const length = chance.one(0.2) ? chance.pick([minLength, maxLength, maxLength + 1]) : minLength + chance.below(8)
  return chance.one(0.4) ? chance.text() : 'a'.repeat(Math.min(length, 20_000))
}
