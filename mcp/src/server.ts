import type { HypocaustClient, Key } from '@hypocaust/client'
import { type ListToolsResult, McpServer } from '@modelcontextprotocol/server'
import { readingTools } from './reading.ts'
import { Tools } from './tools.ts'
import { VERSION } from './version.ts'
import { writingTools } from './writing.ts'

export interface AssistantParts {
  client: HypocaustClient
  /** A key that may only read gets no tool that writes. */
  permission: Key['permission']
  now(): number
}

const INSTRUCTIONS = `Floor heating of the buildings the API key can reach. Call list_rooms first: it gives the ids that every other tool takes.
Temperatures are Celsius. power is the share of a time window in which the valve is open, from 0 to 1. Floors answer in hours, so a change shows its effect late: read the outlook or the history before changing something again.
Tell the person what you are about to change before you change it.`

/** Made once of each: to describe the tools costs more than to use one. */
const lists: Partial<Record<Key['permission'], ListToolsResult>> = {}

/** The tools an assistant gets with one key. */
export function assistantServer({ client, permission, now }: AssistantParts): McpServer {
  const server = new McpServer(
    { name: 'hypocaust', title: 'Hypocaust floor heating', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  const tools = new Tools(server)
  readingTools(tools, client, now)
  if (permission === 'write') writingTools(tools, client)
  server.server.setRequestHandler('tools/list', () => {
    lists[permission] ??= tools.listed()
    return lists[permission]
  })
  return server
}
