interface Document {
  components?: { schemas?: Record<string, object> }
}

/** Without the schemas that only another document uses. */
export function withUsedSchemas<T extends object>(document: T): T {
  const { components = {} } = document as Document
  const used = (schemas: Record<string, object>): Record<string, object> => {
    const text = JSON.stringify({ ...document, components: { ...components, schemas } })
    const kept = Object.entries(schemas).filter(([name]) => text.includes(`"#/components/schemas/${name}"`))
    return kept.length === Object.keys(schemas).length ? schemas : used(Object.fromEntries(kept))
  }
  return { ...document, components: { ...components, schemas: used(components.schemas ?? {}) } }
}
