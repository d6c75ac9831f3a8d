import { Interface, type Schema } from '../openapi.ts'
import type { Chance } from './chance.ts'
import { fromSchema } from './from-schema.ts'
import { type Caller, type Case, credentials, fuzzRequests } from './http.ts'
import type { Target } from './target.ts'
import type { Verdict } from './verdict.ts'

interface Tool {
  name: string
  inputSchema: Schema
}

/** A message `subscriptions/listen` opens a stream that stays open: it is not among them. */
const METHODS = ['initialize', 'ping', 'tools/list', 'notifications/initialized', 'resources/list', 'tools/nothing', '']
const VERSIONS = ['2025-06-18', '2025-03-26', '2024-11-05', 'x', '']
const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

/** Messages of an assistant: calls of its tools, nearly right or wrong in one place, and what is no message. */
export async function fuzzMcp(target: Target, cases: number, chance: Chance, verdict: Verdict): Promise<void> {
  const tools = await toolsOf(target)
  // The schemas of the tools name no others: any document resolves them.
  const of = new Interface('openapi.json')
  await fuzzRequests(target, 'mcp', cases, verdict, (caller) => ({
    ...{ method: 'POST', path: '/mcp', isStream: false },
    headers: { ...HEADERS, 'mcp-protocol-version': chance.pick(VERSIONS), ...credentials(chance, caller) },
    body: bodyOf(chance, of, tools, caller),
  }))
}

function bodyOf(chance: Chance, of: Interface, tools: Tool[], caller: Caller): Case['body'] {
  if (chance.one(0.05)) return chance.pick(['', '{', 'null', '[]', '"x"', '['.repeat(5000), 'x'.repeat(20_000)])
  const id = chance.one(0.9) ? chance.below(1000) : chance.value()
  if (chance.one(0.2))
    return JSON.stringify({ jsonrpc: '2.0', id, method: chance.pick(METHODS), params: chance.value() })
  const { name, inputSchema } = chance.pick(tools)
  const args = withKnownIds(fromSchema(chance, of, inputSchema), chance, caller)
  const params = { name: chance.one(0.97) ? name : chance.text(), arguments: args }
  const call = { jsonrpc: chance.one(0.97) ? '2.0' : chance.value(), id, method: 'tools/call', params }
  return JSON.stringify(chance.one(0.05) ? [call, call] : call)
}

/** A tool does something only in a building and a room that there are. */
function withKnownIds(args: unknown, chance: Chance, { house, other }: Caller): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args
  const known: Record<string, string[]> = {
    building_id: [house.buildingId, house.buildingId, other.buildingId],
    room_id: [...house.roomIds, ...house.roomIds, ...other.roomIds],
  }
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const ids = known[name]
      return [name, ids && chance.one(0.85) ? chance.pick(ids) : value]
    }),
  )
}

async function toolsOf(target: Target): Promise<Tool[]> {
  const { writeKey } = await target.newOwner()
  const answer = await fetch(`${target.url}/mcp`, {
    method: 'POST',
    headers: { ...HEADERS, 'mcp-protocol-version': '2025-06-18', 'x-api-key': writeKey },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  const text = await answer.text()
  const { result } = JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? '{}') as { result?: { tools: Tool[] } }
  if (!result?.tools.length) throw new Error(`no tools: ${answer.status} ${text}`)
  return result.tools
}
