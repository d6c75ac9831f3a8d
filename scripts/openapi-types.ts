/** TypeScript types from an OpenAPI document, of the schema forms that this interface uses. */
export interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

interface Operation {
  operationId: string
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { examples?: Record<string, unknown> }> }>
}

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}

const HEAD = '// Made from the OpenAPI document by scripts/client-types.ts. Do not edit.\n'

export function typesOf(document: OpenApi): string {
  const operations = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([, methods]) => Object.values(methods))
  const schemas = { ...document.components.schemas, ...bodiesOf(operations) }
  const interfaces = Object.entries(schemas).map(([name, schema]) =>
    [
      ...comment(schema.description, ''),
      `export interface ${name === 'Error' ? 'ErrorBody' : name} ${inBraces(schema, '')}`,
    ].join('\n'),
  )
  return [HEAD, ...interfaces.map((text) => `${text}\n`), errorCodes(operations)].join('\n')
}

/** `patchRoom` takes a `RoomPatch`: a body is named after its operation, noun first. */
function bodiesOf(operations: Operation[]): Record<string, Schema> {
  const bodies = operations.flatMap(({ operationId, requestBody }) => {
    const schema = requestBody?.content['application/json']?.schema
    const [, verb = '', noun = ''] = /^([a-z]+)(.*)$/.exec(operationId) ?? []
    return schema ? [[`${noun}${verb[0]?.toUpperCase()}${verb.slice(1)}`, schema] as const] : []
  })
  return Object.fromEntries(bodies)
}

/** The codes are the names of the examples of the error responses. */
function errorCodes(operations: Operation[]): string {
  const codes = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ content }) => Object.keys(content?.['application/json']?.examples ?? {})),
  )
  const lines = [...new Set(codes)].sort().map((code) => `  | '${code}'`)
  return `/** Every \`error.code\` of the interface. */\nexport type ErrorCode =\n${lines.join('\n')}\n`
}

function inBraces(schema: Schema, indent: string): string {
  const inner = `${indent}  `
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const mark = schema.required?.includes(name) ? '' : '?'
    return [...comment(field.description, inner), `${inner}${name}${mark}: ${typeOf(field, inner)}`]
  })
  return `{\n${fields.join('\n')}\n${indent}}`
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
  const types = [schema.type ?? []].flat()
  if (types.length === 0) throw new Error(`a schema without a type: ${JSON.stringify(schema)}`)
  return types.map((type) => ofType(type, schema, indent)).join(' | ')
}

function ofType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'string':
      return schema.enum ? schema.enum.map((value) => `'${value}'`).join(' | ') : 'string'
    case 'integer':
      return 'number'
    case 'number':
    case 'boolean':
    case 'null':
      return type
    case 'object':
      return inBraces(schema, indent)
    case 'array': {
      const items = typeOf(schema.items ?? {}, indent)
      return items.includes('|') ? `(${items})[]` : `${items}[]`
    }
    default:
      throw new Error(`no TypeScript for the schema type ${type}`)
  }
}

const comment = (text: string | undefined, indent: string): string[] => (text ? [`${indent}/** ${text} */`] : [])
