/** Python's TypedDicts from an OpenAPI document, of the schema forms that this interface uses. */
import type { OpenApi, Schema } from './openapi-types.ts'

export const PYTHON_HEAD = (purpose: string): string =>
  `"""${purpose}\n\nMade from the OpenAPI documents by scripts/python-client.ts. Do not edit.\n"""\n`

/** What becomes a class of its own beside the schemas: an object inside another, by the name that it gets. */
type Classes = Map<string, Schema>

const KEYWORDS = new Set(['from', 'class', 'import', 'in', 'is', 'not', 'or', 'and', 'pass', 'with', 'as'])

/** Where a name made of the fields would be wrong for the others that share the class. */
const NAMES: Record<string, string> = { ProgrammeMonday: 'ProgrammeStep' }

/** All classes of the document; an object inside a schema is named after the schema and its field. */
export function pythonTypesOf({ components }: OpenApi): string {
  const written: string[] = []
  for (const [name, schema] of Object.entries(components.schemas)) {
    const inner: Classes = new Map()
    const own = classOf(name === 'Error' ? 'ErrorBody' : name, schema, inner)
    written.push(...writtenInside(inner), own)
  }
  const head = `${PYTHON_HEAD('What the interface answers with, and what it takes.')}
from typing import Literal, NotRequired, TypedDict

`
  return `${head}\n${written.join('\n\n')}`
}

/** Inner classes may have inner classes; what a class uses stands before it. */
function writtenInside(classes: Classes): string[] {
  return [...classes].flatMap(([name, schema]) => {
    const inner: Classes = new Map()
    const own = classOf(name, schema, inner)
    return [...writtenInside(inner), own]
  })
}

function classOf(name: string, schema: Schema, inner: Classes): string {
  const fields = Object.entries(schema.properties ?? {})
  const typed = fields.map(([field, each]) => {
    const type = pythonTypeOf(each, { name: name + pascalOf(field), inner })
    // A deprecated field will be missing one day.
    const isAlwaysThere = schema.required?.includes(field) && !each.deprecated
    return { field, type: isAlwaysThere ? type : `NotRequired[${type}]`, each }
  })
  // A field that is a word of the language can only be written as text.
  return fields.some(([field]) => KEYWORDS.has(field))
    ? `${name} = TypedDict(\n    "${name}",\n    {\n${typed
        .map(({ field, type, each }) => `${commentOf(each, '        ')}        "${field}": ${type},\n`)
        .join('')}    },\n)\n${docstring(schema.description, '')}`
    : `class ${name}(TypedDict):\n${docstring(schema.description ?? 'See the fields.', '    ')}\n${typed
        .map(({ field, type, each }) => `    ${field}: ${type}\n${docstring(textOf(each), '    ')}`)
        .join('')}`
}

/** The type of a value; an object without a name of its own gets the given one. */
export function pythonTypeOf(schema: Schema, place?: { name: string; inner: Classes }): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.anyOf) return schema.anyOf.map((each) => pythonTypeOf(each, place)).join(' | ')
  const types = [schema.type ?? []].flat()
  if (types.length === 0) throw new Error(`a schema without a type: ${JSON.stringify(schema)}`)
  return types.map((type) => ofType(type, schema, place)).join(' | ')
}

function ofType(type: string, schema: Schema, place: { name: string; inner: Classes } | undefined): string {
  switch (type) {
    case 'string':
      return schema.enum
        ? `Literal[${schema.enum.flatMap((value) => (value === null ? [] : `"${value}"`)).join(', ')}]`
        : 'str'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    case 'array':
      return `list[${pythonTypeOf(schema.items ?? {}, place && { ...place, name: singularOf(place.name) })}]`
    case 'object':
      if (typeof schema.additionalProperties === 'object')
        return `dict[str, ${pythonTypeOf(schema.additionalProperties, place)}]`
      if (!place) throw new Error(`an object without a name: ${JSON.stringify(schema)}`)
      return named(schema, place)
    default:
      throw new Error(`no Python for the schema type ${type}`)
  }
}

/** Objects of one form inside a schema, as the days of a week have them, share the class of the first. */
function named(schema: Schema, place: { name: string; inner: Classes }): string {
  const form = JSON.stringify(schema)
  for (const [known, each] of place.inner) if (JSON.stringify(each) === form) return known
  const name = NAMES[place.name] ?? place.name
  place.inner.set(name, schema)
  return name
}

const singularOf = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '')

const textOf = ({ deprecated, description }: Schema): string | undefined =>
  deprecated ? `Deprecated. ${description}` : description

/** What Python would take for the beginning of an escape, or for the end of the text, stays text. */
export function docstring(text: string | undefined, indent: string): string {
  return text ? `${indent}"""${text.replaceAll('\\', '\\\\').replaceAll('"', "'")}"""\n` : ''
}

const commentOf = (schema: Schema, indent: string): string => {
  const text = textOf(schema)
  return text ? `${indent}# ${text}\n` : ''
}

const pascalOf = (field: string): string =>
  field
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** `buildingId` and `from` as names of parameters. */
export function parameterOf(name: string): string {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return KEYWORDS.has(snake) ? `${snake}_` : snake
}
