import type { HypocaustClient, Room, RoomPatch } from '@hypocaust/client'
import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { answer, ROOM } from './answer.ts'

/** What a person at a thermostat would turn; which sensor belongs to which room is set up elsewhere. */
const CHANGE = z.strictObject({
  target_temperature: z.number().optional().describe('Celsius'),
  hvac_mode: z.enum(['heat', 'off']).optional().describe('off holds the room at zero power'),
  preset_mode: z.enum(['none', 'low', 'medium', 'high']).optional().describe('base warmth of the floor'),
  manual_power: z
    .strictObject({ enabled: z.boolean().optional(), power: z.number().optional() })
    .optional()
    .describe('a fixed power in place of the heating control; hvac_mode "heat" ends it'),
  name: z.string().optional(),
})

const CHANGES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** The tools that change settings; each write is a request of the key on /v1. */
export function writingTools(server: McpServer, client: HypocaustClient): void {
  server.registerTool(
    'propose_room_change',
    {
      title: 'Propose a change of a room',
      description:
        'Shows what change_room with the same arguments would change, without changing anything. Use it to ask the person.',
      inputSchema: z.object({ ...ROOM, change: CHANGE }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ building_id, room_id, change }) =>
      answer(async () => {
        const room = await client.getRoom(building_id, room_id)
        return { room: room.name, changes: changesOf(room, patchOf(change)) }
      }),
  )

  server.registerTool(
    'change_room',
    {
      title: 'Change a room',
      description:
        'Changes settings of a room at once, and returns the room. Only the fields given change. power follows within two seconds.',
      inputSchema: z.object({ ...ROOM, change: CHANGE }),
      annotations: CHANGES,
    },
    ({ building_id, room_id, change }) =>
      answer(async () => ({ room: await client.patchRoom(building_id, room_id, patchOf(change)) })),
  )
}

/** Without the members left out: JSON has no undefined. */
const patchOf = (change: z.infer<typeof CHANGE>): RoomPatch => JSON.parse(JSON.stringify(change))

function changesOf(room: Room, patch: RoomPatch): { field: string; from: unknown; to: unknown }[] {
  return Object.entries(patch)
    .map(([field, value]) => {
      const from = room[field as keyof RoomPatch]
      const to = typeof value === 'object' ? { ...(from as object), ...value } : value
      return { field, from, to }
    })
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
}
