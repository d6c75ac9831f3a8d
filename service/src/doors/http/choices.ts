import { OVERRIDE_CHOICES } from '@hypocaust/domain'

/** Pairs of fields of a body, of which the service wants exactly one each. */
const CHOICES: Record<string, readonly (readonly [string, string])[]> = { OverridePut: OVERRIDE_CHOICES }

interface Document {
  components?: { schemas?: Record<string, object> }
}

/** Says in JSON Schema what the service checks in words of its own. */
export function withChoices<T extends object>(document: T): T {
  const { components = {} } = document as Document
  const schemas = Object.entries(components.schemas ?? {}).map(([name, schema]) => [
    name,
    CHOICES[name] ? { ...schema, allOf: CHOICES[name].map(exactlyOne) } : schema,
  ])
  return { ...document, components: { ...components, schemas: Object.fromEntries(schemas) } }
}

const exactlyOne = (fields: readonly string[]) => ({ oneOf: fields.map((field) => ({ required: [field] })) })
