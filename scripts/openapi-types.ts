/** TypeScript types from an OpenAPI document, of the schema forms that this interface uses. */
export interface OpenApi {
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, { content?: Record<string, { examples?: Record<string, unknown> }> }>
  }
}

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: (string | null)[]
  description?: string
  deprecated?: boolean
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  additionalProperties?: Schema | boolean
}

const LONGEST_UNION = 104
const LONGEST_LINE = 120
const HEAD = '// Made from the OpenAPI document by scripts/client-types.ts. Do not edit.\n'

export function typesOf({ components }: OpenApi): string {
  const interfaces = Object.entries(components.schemas).map(([name, schema]) => {
    // `Error` would hide the language's own.
    const head = `export interface ${name === 'Error' ? 'ErrorBody' : name} `
    return [...comment(schema.description, ''), `${head}${inBraces(schema, '')}\n`].join('\n')
  })
  return [HEAD, ...interfaces, errorCodes(components.responses)].join('\n')
}

/** The fields that an answer of each kind always has, for a look at what arrives. Deprecated ones will be removed. */
export function requiredFieldsOf({ components }: OpenApi): string {
  const lines = Object.entries(components.schemas)
    .filter(([name]) => name !== 'Error')
    .map(([name, { required = [], properties = {} }]) =>
      listed(
        name,
        required.filter((field) => !properties[field]?.deprecated),
      ),
    )
  return [HEAD, '/** The fields that are never missing. */', 'export const REQUIRED_FIELDS = {', ...lines, '}\n'].join(
    '\n',
  )
}

function listed(name: string, fields: string[]): string {
  const quoted = fields.map((field) => `'${field}'`)
  const line = `  ${name}: [${quoted.join(', ')}],`
  return line.length <= LONGEST_LINE ? line : `  ${name}: [\n${quoted.map((each) => `    ${each},\n`).join('')}  ],`
}

/** The codes are the names of the examples of the error responses. */
function errorCodes(responses: OpenApi['components']['responses']): string {
  const codes = Object.values(responses).flatMap(({ content }) =>
    Object.keys(content?.['application/json']?.examples ?? {}),
  )
  if (codes.length === 0) throw new Error('no error codes among the responses of the document')
  const lines = [...new Set(codes)].sort().map((code) => `  | '${code}'`)
  return `/** Every \`error.code\` of the interface. */\nexport type ErrorCode =\n${lines.join('\n')}\n`
}

function inBraces(schema: Schema, indent: string): string {
  if (!schema.properties) throw new Error(`an object without properties: ${JSON.stringify(schema)}`)
  const inner = `${indent}  `
  const fields = Object.entries(schema.properties).flatMap(([name, field]) => {
    const mark = schema.required?.includes(name) ? '' : '?'
    return [
      ...comment(field.deprecated ? `@deprecated ${field.description}` : field.description, inner),
      `${inner}${name}${mark}: ${typeOf(field, inner)}`.replace(' \n', '\n'),
    ]
  })
  return `{\n${fields.join('\n')}\n${indent}}`
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, indent)).join(' | ')
  const types = [schema.type ?? []].flat()
  if (types.length === 0) throw new Error(`a schema without a type: ${JSON.stringify(schema)}`)
  if (schema.enum) return unionOf(schema.enum, indent)
  const all = types.map((type) => ofType(type, schema, indent))
  const isLongList = types.length > 1 && types.includes('array') && all.some((each) => each.includes('\n'))
  if (!isLongList) return all.join(' | ')
  // A list of objects or null: one a line.
  return types.map((type) => `\n${indent}  | ${ofType(type, schema, `${indent}    `)}`).join('')
}

function ofType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'integer':
      return 'number'
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type
    case 'object':
      return typeof schema.additionalProperties === 'object'
        ? `Record<string, ${typeOf(schema.additionalProperties, indent)}>`
        : inBraces(schema, indent)
    case 'array': {
      const items = typeOf(schema.items ?? {}, indent)
      const isUnion = items.includes('|') && !items.startsWith('{')
      return isUnion ? `(${items}${items.includes('\n') ? `\n${indent}` : ''})[]` : `${items}[]`
    }
    default:
      throw new Error(`no TypeScript for the schema type ${type}`)
  }
}

/** In one line, or one a line where there are many. */
function unionOf(values: (string | null)[], indent: string): string {
  const quoted = values.map((value) => (value === null ? 'null' : `'${value}'`))
  const line = quoted.join(' | ')
  return line.length <= LONGEST_UNION ? line : quoted.map((value) => `\n${indent}  | ${value}`).join('')
}

const comment = (text: string | undefined, indent: string): string[] => (text ? [`${indent}/** ${text} */`] : [])
