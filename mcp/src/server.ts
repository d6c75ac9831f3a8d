import type { HypocaustClient, Key } from '@hypocaust/client'
import { McpServer } from '@modelcontextprotocol/server'
import { readingTools } from './reading.ts'
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

/** The tools an assistant gets with one key. */
export function assistantServer({ client, permission, now }: AssistantParts): McpServer {
  const server = new McpServer(
    { name: 'hypocaust', title: 'Hypocaust floor heating', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  readingTools(server, client, now)
  if (permission === 'write') writingTools(server, client)
  return server
}
