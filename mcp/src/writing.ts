import type { HypocaustClient, Room, RoomPatch } from '@hypocaust/client'
import { z } from 'zod'
import { answer, BUILDING, ROOM } from './answer.ts'
import type { Tools } from './tools.ts'

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

const UNTIL = z.string().describe('for example 2026-01-10T22:00:00Z; at most a year ahead')

const ROOM_CHANGE = ROOM.extend({ change: CHANGE })

const ROOM_OVERRIDE = ROOM.extend({
  until: UNTIL,
  target_temperature: z.number().optional().describe('Celsius'),
  hvac_mode: z.literal('off').optional(),
})

const ABSENCE = BUILDING.extend({
  from: z.string().optional().describe('now unless given'),
  until: UNTIL.nullable().describe('the return, for example 2026-01-10T22:00:00Z; null: until end_away'),
  target_temperature: z.number().describe('Celsius to which the rooms may cool, for example 16'),
})

const CHANGES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** The tools that change settings; each write is a request of the key on /v1. */
export function writingTools(tools: Tools, client: HypocaustClient): void {
  tools.registerTool(
    'propose_room_change',
    {
      title: 'Propose a change of a room',
      description:
        'Shows what change_room with the same arguments would change, without changing anything. Use it to ask the person.',
      inputSchema: ROOM_CHANGE,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ building_id, room_id, change }) =>
      answer(async () => {
        const room = await client.getRoom(building_id, room_id)
        return { room: room.name, changes: changesOf(room, patchOf(change)) }
      }),
  )

  tools.registerTool(
    'change_room',
    {
      title: 'Change a room',
      description:
        'Changes settings of a room at once, and returns the room. Only the fields given change. power follows within two seconds.',
      inputSchema: ROOM_CHANGE,
      annotations: CHANGES,
    },
    ({ building_id, room_id, change }) =>
      answer(async () => ({ room: await client.patchRoom(building_id, room_id, patchOf(change)) })),
  )

  endingTools(tools, client)
}

/** What ends by itself, and how it is ended before. */
function endingTools(tools: Tools, client: HypocaustClient): void {
  tools.registerTool(
    'override_room',
    {
      title: 'Override a room until a time',
      description:
        'Another target, or off, until a time; then the room returns to its programme by itself. Give either target_temperature or hvac_mode "off".',
      inputSchema: ROOM_OVERRIDE,
      annotations: CHANGES,
    },
    ({ building_id, room_id, ...override }) =>
      answer(async () => ({ override: await client.putOverride(building_id, room_id, withoutGaps(override)) })),
  )

  tools.registerTool(
    'end_override',
    {
      title: 'End the override of a room',
      description: 'The room returns to its programme at once.',
      inputSchema: ROOM,
      annotations: CHANGES,
    },
    ({ building_id, room_id }) =>
      answer(async () => {
        await client.deleteOverride(building_id, room_id)
        return { override: null }
      }),
  )

  tools.registerTool(
    'set_away',
    {
      title: 'Set an absence',
      description: 'The building cools to target_temperature meanwhile, and is warm again at the return.',
      inputSchema: ABSENCE,
      annotations: CHANGES,
    },
    ({ building_id, ...away }) => answer(async () => ({ away: await client.putAway(building_id, withoutGaps(away)) })),
  )

  tools.registerTool(
    'end_away',
    {
      title: 'End an absence',
      description: 'The people are back, or will not leave: the building is heated as usual.',
      inputSchema: BUILDING,
      annotations: CHANGES,
    },
    ({ building_id }) =>
      answer(async () => {
        await client.deleteAway(building_id)
        return { away: null }
      }),
  )
}

/** Without the members left out: JSON has no undefined. */
const withoutGaps = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  JSON.parse(JSON.stringify(value))

const patchOf = (change: z.infer<typeof CHANGE>): RoomPatch => withoutGaps(change) as RoomPatch

function changesOf(room: Room, patch: RoomPatch): { field: string; from: unknown; to: unknown }[] {
  return Object.entries(patch)
    .map(([field, value]) => {
      const from = room[field as keyof RoomPatch]
      const to = typeof value === 'object' ? { ...(from as object), ...value } : value
      return { field, from, to }
    })
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
}
