import { DAY_MS } from '@hypocaust/domain'
import { Interface, type Operation } from '../openapi.ts'

export interface Request {
  id: string
  method: string
  path: string
  body?: string
}

interface Place {
  buildingId: string
  roomId: string
}

/** When the documents' examples take place. */
const EXAMPLES_MS = Date.parse('2026-01-10T08:15:03.000Z')
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TIMESTAMP = /^\d{4}-\d\d-\d\dT/

/** What a change sends: the first example of its document, in this room and at this time. */
function exampleBody(of: Interface, { id, body }: Operation, { roomId }: Place, nowMs: number): string | undefined {
  if (!body) return undefined
  const [example] = of.resolve(body).examples ?? []
  if (example === undefined) throw new Error(`${id}: its document has no example of the body`)
  return JSON.stringify(example, (_name, value) => {
    if (typeof value !== 'string') return value
    if (UUID.test(value)) return roomId
    return TIMESTAMP.test(value) ? new Date(Date.parse(value) - EXAMPLES_MS + nowMs).toISOString() : value
  })
}

/** The longest spans that are allowed: what costs most. */
function queryOf({ path }: Operation, nowMs: number): string {
  const [from, to] = [nowMs - 360 * DAY_MS, nowMs].map((ms) => new Date(ms).toISOString())
  if (path.endsWith('/history')) return `?from=${from}&to=${to}`
  return path.endsWith('/energy') ? `?from=${from?.slice(0, 10)}&to=${to?.slice(0, 10)}` : ''
}

/** Every route that a key opens, once, but the stream: who asks for it asks for nothing else meanwhile. */
export function requestsOf(place: Place, nowMs: number): Request[] {
  const filled = (path: string) => path.replace('{buildingId}', place.buildingId).replace('{roomId}', place.roomId)
  const described = [new Interface('openapi.json'), new Interface('openapi-control.json')].flatMap((of) =>
    of.operations
      .filter(({ isStream }) => !isStream)
      .map((operation) => {
        const { id, method } = operation
        const body = exampleBody(of, operation, place, nowMs)
        const path = filled(operation.path) + queryOf(operation, nowMs)
        return { id, method, path, ...(body !== undefined && { body }) }
      }),
  )
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_rooms', arguments: {} } }
  return [...described, { id: 'POST /mcp', method: 'POST', path: '/mcp', body: JSON.stringify(call) }]
}
