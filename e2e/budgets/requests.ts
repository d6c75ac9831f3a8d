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

/** What each change sends: valid, so that it is carried out. */
const bodiesFor = ({ roomId }: Place): Record<string, object> => ({
  'PATCH /v1/buildings/{buildingId}/rooms': { rooms: [{ id: roomId, target_temperature: 21 }] },
  'PATCH /v1/buildings/{buildingId}/rooms/{roomId}': { target_temperature: 21 },
  'PUT /v1/buildings/{buildingId}/rooms/{roomId}/override': { target_temperature: 22, hours: 1 },
  'POST /v1/buildings/{buildingId}/rooms/{roomId}/feedback': { feeling: 'too_cold' },
  'PUT /v1/buildings/{buildingId}/away': { until: null, target_temperature: 15 },
  'PUT /control/v1/buildings/{buildingId}/rooms/{roomId}/programme': { monday: [{ at: '05:30', setback: 0 }] },
  'POST /control/v1/buildings/{buildingId}/rooms/{roomId}/programme/copies': { room_ids: [roomId] },
  'PATCH /control/v1/buildings/{buildingId}/rooms/{roomId}/comfort': { comfort_band: 0.5 },
  'PUT /control/v1/buildings/{buildingId}/comfort': { comfort: 'balanced' },
})

/** The longest spans that are allowed: what costs most. */
function queryOf({ path }: Operation, nowMs: number): string {
  const [from, to] = [nowMs - 360 * DAY_MS, nowMs].map((ms) => new Date(ms).toISOString())
  if (path.endsWith('/history')) return `?from=${from}&to=${to}`
  return path.endsWith('/energy') ? `?from=${from?.slice(0, 10)}&to=${to?.slice(0, 10)}` : ''
}

/** Every route that a key opens, once, but the stream: who asks for it asks for nothing else meanwhile. */
export function requestsOf(place: Place, nowMs: number): Request[] {
  const bodies = bodiesFor(place)
  const filled = (path: string) => path.replace('{buildingId}', place.buildingId).replace('{roomId}', place.roomId)
  const described = [new Interface('openapi.json'), new Interface('openapi-control.json')]
    .flatMap(({ operations }) => operations)
    .filter(({ isStream }) => !isStream)
    .map((operation) => {
      const body = bodies[operation.id]
      if (operation.body && !body) throw new Error(`no body is known for ${operation.id}`)
      const { id, method } = operation
      const path = filled(operation.path) + queryOf(operation, nowMs)
      return { id, method, path, ...(body && { body: JSON.stringify(body) }) }
    })
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_rooms', arguments: {} } }
  return [...described, { id: 'POST /mcp', method: 'POST', path: '/mcp', body: JSON.stringify(call) }]
}
