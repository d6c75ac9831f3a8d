import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  format?: string
  pattern?: string
  examples?: unknown[]
}

export interface Operation {
  /** As `PATCH /v1/buildings/{buildingId}`. */
  id: string
  method: string
  path: string
  parameters: { name: string; in: string; schema: Schema }[]
  body: Schema | undefined
  /** Whether it stays open and sends events. */
  isStream: boolean
  /** Whether the document asks for a key or a session. */
  isOpen: boolean
}

interface Document {
  paths: Record<string, Record<string, RawOperation>>
  security?: object[]
  components: { schemas: Record<string, Schema>; parameters?: Record<string, RawParameter> }
}

interface RawParameter {
  $ref?: string
  name: string
  in: string
  schema: Schema
}

interface RawOperation {
  parameters?: RawParameter[]
  security?: object[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, unknown> }>
}

const DOCS = join(import.meta.dirname, '../docs')

/** The interface as its own document describes it. */
export class Interface {
  readonly #document: Document
  readonly operations: Operation[]

  constructor(file: 'openapi.json' | 'openapi-app.json' | 'openapi-control.json') {
    this.#document = JSON.parse(readFileSync(join(DOCS, file), 'utf8'))
    this.operations = Object.entries(this.#document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => ['get', 'put', 'post', 'patch', 'delete'].includes(method))
        .map(([method, raw]) => this.#operation(method.toUpperCase(), path, raw)),
    )
  }

  resolve(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1)
    return name === undefined ? schema : this.resolve(this.#document.components.schemas[name] ?? {})
  }

  #operation(method: string, path: string, raw: RawOperation): Operation {
    const parameters = (raw.parameters ?? []).map((each) =>
      each.$ref ? (this.#document.components.parameters?.[each.$ref.split('/').at(-1) ?? ''] ?? each) : each,
    )
    return {
      id: `${method} ${path}`,
      method,
      path,
      parameters,
      body: raw.requestBody?.content['application/json']?.schema,
      isStream: Object.values(raw.responses).some(({ content }) => content?.['text/event-stream'] !== undefined),
      isOpen: raw.security?.length === 0,
    }
  }
}

export const INTERFACES = {
  v1: new Interface('openapi.json'),
  control: new Interface('openapi-control.json'),
  app: new Interface('openapi-app.json'),
}
