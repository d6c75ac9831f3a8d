import { HypocaustError } from '@hypocaust/client'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** The work's value as data and as text; the service's refusal as an error the assistant can read. */
export async function answer(work: () => Promise<Record<string, unknown>>): Promise<CallToolResult> {
  try {
    const value = await work()
    return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value }
  } catch (error) {
    if (!(error instanceof HypocaustError)) throw error
    return { content: [{ type: 'text', text: `${error.code}: ${error.message}` }], isError: true }
  }
}

/** Made once: a server is built for every message, and a schema costs more than the rest of it. */
const building = { building_id: z.string().describe('id of the building, from list_rooms') }
const room = { ...building, room_id: z.string().describe('id of the room, from list_rooms') }

export const NOTHING = z.object({})
export const BUILDING = z.object(building)
export const ROOM = z.object(room)
