/** One method for each operation of the OpenAPI documents, once waiting for the answer and once awaiting it. */

import { docstring, PYTHON_HEAD, parameterOf, pythonTypeOf } from './openapi-python-types.ts'
import type { Schema } from './openapi-types.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema & { format?: string }
  description?: string
}

interface Operation {
  operationId: string
  summary?: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

interface Documented {
  components: { schemas: Record<string, Schema> }
  paths: Record<string, Record<string, Operation>>
}

interface Method {
  name: string
  text: string
  returns: string
  /** As they stand in the signature. */
  parameters: string[]
  /** As they are handed to the request. */
  request: string[]
}

export function pythonOperationsOf(documents: Documented[]): string {
  const methods = documents.flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([verb, operation]) => verb !== 'head' && answerOf(operation) !== undefined)
        .map(([verb, operation]) => methodOf(verb, path, operation)),
    ),
  )
  const signatures = methods.map(({ returns, parameters }) => `${returns} ${parameters}`).join(' ')
  const names = documents.flatMap(({ components }) => Object.keys(components.schemas))
  const types = names.filter((name) => new RegExp(`\\b${name}\\b`).test(signatures)).sort()
  return `${PYTHON_HEAD('The operations of the interface as methods.')}
from abc import ABC, abstractmethod
from typing import Literal, TypeVar

from .requests import Instant, Request, Shape, path_of
from .types import (
${types.map((name) => `    ${name},\n`).join('')})

T = TypeVar("T")


class Operations(ABC):
    """Each method returns when the service has answered."""

    @abstractmethod
    def call(self, request: Request[T]) -> T:
        """Send a request, retry while the service is busy or away, and return what it answers."""
${methods.map((method) => written(method, '')).join('')}

class AsyncOperations(ABC):
    """Each method is awaited."""

    @abstractmethod
    async def call(self, request: Request[T]) -> T:
        """Send a request, retry while the service is busy or away, and return what it answers."""
${methods.map((method) => written(method, 'async ')).join('')}`
}

const written = ({ name, text, returns, parameters, request }: Method, async: '' | 'async '): string => `
    ${async}def ${name}(${['self', ...parameters].join(', ')}) -> ${returns}:
${text}        return ${async && 'await '}self.call(Request[${returns}](${request.join(', ')}))
`

const answerOf = ({ responses }: Operation): Schema | undefined =>
  responses['200']?.content?.['application/json']?.schema

function methodOf(verb: string, path: string, operation: Operation): Method {
  const { operationId, summary, description, parameters = [], requestBody } = operation
  const paths = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => parameterOf(name ?? ''))
  const queries = parameters.filter((each) => each.in === 'query')
  const body = requestBody?.content['application/json'].schema
  const returned = answerOf(operation) ?? {}
  const hasCondition = parameters.some((each) => each.name === 'If-Match')
  const keywords = [
    ...queries.toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false)).map(queryParameter),
    ...(hasCondition ? ['if_unchanged: bool = False'] : []),
  ]
  const template = path.replace(/\{\w+\}/g, '{}')
  return {
    name: parameterOf(operationId),
    text: docstring([`${summary}.`, description].filter(Boolean).join(' '), '        '),
    returns: pythonTypeOf(returned),
    parameters: [
      ...paths.map((name) => `${name}: str`),
      ...(body ? [`body: ${pythonTypeOf(body)}`] : []),
      ...(keywords.length > 0 ? ['*', ...keywords] : []),
    ],
    request: [
      `"${verb.toUpperCase()}"`,
      paths.length > 0 ? `path_of("${template}", ${paths.join(', ')})` : `"${template}"`,
      ...shapeOf(returned),
      ...(queries.length > 0
        ? [`query={${queries.map(({ name }) => `"${name}": ${parameterOf(name)}`).join(', ')}}`]
        : []),
      ...(body ? ['body=body'] : []),
      ...(hasCondition ? ['if_unchanged=if_unchanged'] : []),
    ],
  }
}

/** The document has the text that a query is; a number of seconds is a number to a program. */
function queryParameter({ name, required, schema }: Parameter): string {
  const type = name === 'wait' ? 'int' : schema.format === 'date-time' ? 'Instant' : pythonTypeOf(schema)
  return `${parameterOf(name)}: ${type}${required ? '' : ' | None = None'}`
}

/** The class of the answer and what is around it, for a look at what arrives. */
function shapeOf(schema: Schema): string[] {
  const of = (schema.items ?? schema.anyOf?.[0] ?? schema).$ref?.split('/').at(-1)
  if (of === undefined) return []
  const form = schema.items ? 'list' : schema.anyOf ? 'optional' : 'one'
  return [`Shape(${of}, "${form}")`]
}
