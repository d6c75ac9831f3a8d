import { type HypocaustClient, HypocaustError } from '@hypocaust/client'
import { z } from 'zod'
import { answer, BUILDING, NOTHING, ROOM } from './answer.ts'
import { summaryOf } from './summary.ts'
import type { Tools } from './tools.ts'

const READS = { readOnlyHint: true, openWorldHint: false }
const SPAN_OF_ROOM = ROOM.extend({
  from: z.string().optional().describe('for example 2026-01-10T00:00:00.000Z'),
  to: z.string().optional().describe('now unless given'),
})
const DAY_MS = 24 * 3_600_000

/** The tools that change nothing. */
export function readingTools(tools: Tools, client: HypocaustClient, now: () => number): void {
  tools.registerTool(
    'list_rooms',
    {
      title: 'List buildings and rooms',
      description:
        'All buildings of the key, each with its rooms: temperature, target, mode, power, sensor, weather. Fields as on /v1.',
      inputSchema: NOTHING,
      annotations: READS,
    },
    () =>
      answer(async () => {
        const buildings = await client.listBuildings()
        const states = await Promise.all(buildings.map(({ id }) => client.getState(id)))
        return { buildings: states.map(({ building, rooms }) => ({ ...building, rooms })) }
      }),
  )

  tools.registerTool(
    'explain_room',
    {
      title: 'Explain a room',
      description:
        'Why the floor of a room heats or rests now: the decision of the heating control in a sentence and as data. null while nothing has been decided.',
      inputSchema: ROOM,
      annotations: READS,
    },
    ({ building_id, room_id }) =>
      answer(async () => ({ explanation: await client.getExplanation(building_id, room_id) })),
  )

  tools.registerTool(
    'room_outlook',
    {
      title: 'Outlook of a room',
      description:
        'The setpoint now and why (target, programme, away, presence, override, manual, off, frost), until when, what comes next, and about when the setpoint will be reached; and the override of the room, or null.',
      inputSchema: ROOM,
      annotations: READS,
    },
    ({ building_id, room_id }) =>
      answer(async () => {
        const { outlooks, overrides } = await client.getState(building_id)
        const id = room_id.toLowerCase()
        const outlook = outlooks[id]
        if (!outlook) throw new HypocaustError('not_found', `No such room: ${room_id}`)
        return { outlook, override: overrides[id] ?? null }
      }),
  )

  tools.registerTool(
    'get_away',
    {
      title: 'Absence of a building',
      description:
        'Whether the house is, or will be, away: from when, until when, and how far it may cool. null when not.',
      inputSchema: BUILDING,
      annotations: READS,
    },
    ({ building_id }) => answer(async () => ({ away: await client.getAway(building_id) })),
  )

  tools.registerTool(
    'summarise_history',
    {
      title: 'Summarise the history of a room',
      description:
        'Lowest, mean and highest temperature, setpoint, outdoor temperature and humidity, mean power and hours heated, for the whole span and hour by hour (up to a day) or for each 24 hours. The last 24 hours unless times are given; at most a year.',
      inputSchema: SPAN_OF_ROOM,
      annotations: READS,
    },
    ({ building_id, room_id, from, to }) =>
      answer(async () => {
        const end = timeOf('to', to) ?? new Date(now())
        const start = timeOf('from', from) ?? new Date(end.getTime() - DAY_MS)
        const history = await client.getHistory(building_id, room_id, { from: start, to: end })
        return { summary: summaryOf(history, start, end) }
      }),
  )

  tools.registerTool(
    'list_alerts',
    {
      title: 'List alerts of a building',
      description: 'What needs a person: silent sensors, low batteries, stuck valves, missing heat, an absent gateway.',
      inputSchema: BUILDING,
      annotations: READS,
    },
    ({ building_id }) => answer(async () => ({ alerts: await client.listAlerts(building_id) })),
  )
}

function timeOf(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const time = new Date(text)
  if (Number.isNaN(time.getTime()))
    throw new HypocaustError('invalid_value', `${field} must be a time such as 2026-01-10T00:00:00.000Z`)
  return time
}
