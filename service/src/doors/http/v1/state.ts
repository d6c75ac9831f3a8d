import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import type { RevisionWaits } from '../../../house/revision-waits.ts'
import { authenticate } from '../../../people/keys/keys.ts'
import type { Store } from '../../../store/store.ts'
import { isListed } from '../etag.ts'
import type { RateLimits } from '../limits.ts'
import { type Turns, Waits } from '../turns.ts'
import { charge, keyIn } from './access.ts'
import type { BuildingStates, KeptState } from './building-states.ts'
import { type KeptAnswer, sendKept } from './kept-answer.ts'
import { BuildingParams, QUERY_ERRORS, ReadHeaders, RoomParams, readResponses, success } from './schemas.ts'
import { secondsOf, WaitSeconds } from './wait.ts'

const StateQuery = Type.Object({ wait: WaitSeconds }, { additionalProperties: false })

interface InState {
  Params: Static<typeof BuildingParams>
  Querystring: Static<typeof StateQuery>
}

export interface StateParts {
  store: Store
  clock: Clock
  states: BuildingStates
  /** By the ids of buildings. */
  revisions: RevisionWaits
  limits: RateLimits
  turns: Turns
}

/** What a panel shows: in one answer, which can wait until there is something new, and in parts. */
export function stateRoutes(app: FastifyInstance, parts: StateParts): void {
  stateRoute(app, parts)
  alertsRoute(app, parts)
  outlookRoute(app, parts)
  airRoute(app, parts)
}

function stateRoute(app: FastifyInstance, parts: StateParts): void {
  const { limits, states, turns } = parts
  const waits = new Waits()
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())

  app.get<InState>(
    '/buildings/:buildingId/state',
    {
      config: { actions: ['view'], costsByAnswer: true, waits: true },
      schema: {
        operationId: 'getState',
        summary: 'Everything about a building that a panel shows',
        description:
          'The building, its rooms, alerts, absence, overrides, outlooks and air, each as its own path answers it, and what is proposed for the rooms. With `If-None-Match` and `wait`, the answer comes as soon as anything in it has changed, else `304` when the time is over. One such request a minute takes the place of polling.',
        tags: ['Buildings'],
        params: BuildingParams,
        querystring: StateQuery,
        headers: ReadHeaders,
        response: readResponses(success('The state.', 'State'), QUERY_ERRORS),
      },
    },
    async (request, reply) => {
      const waitMs = 1000 * secondsOf(request.query.wait)
      waits.begin(request.apiKey.id, reply)
      const state = await newState(parts, request, reply, waitMs, closing.signal)
      await turns.take(request.apiKey.id, reply)
      return sendKept(request, reply, limits, state, () => states.bill(state))
    },
  )
}

function alertsRoute(app: FastifyInstance, { states, limits }: StateParts): void {
  app.get<{ Params: Static<typeof BuildingParams> }>(
    '/buildings/:buildingId/alerts',
    {
      config: { actions: ['view'], costsByAnswer: true },
      schema: {
        operationId: 'listAlerts',
        summary: 'What needs a person in a building',
        description: 'Empty when all is well.',
        tags: ['Buildings'],
        params: BuildingParams,
        headers: ReadHeaders,
        response: readResponses(success('The alerts.', 'Alert', 'list'), ['not_found']),
      },
    },
    async (request, reply) => {
      const state = request.reached && (await states.of(request.reached))
      if (!state) throw errors.noSuchBuilding(request.params.buildingId)
      return sendKept(request, reply, limits, state.alerts, () => states.bill(state))
    },
  )
}

function outlookRoute(app: FastifyInstance, parts: StateParts): void {
  roomPartRoute(app, parts, 'outlook', (state) => state.outlooks, {
    operationId: 'getOutlook',
    summary: 'What a room is heated towards',
    description: 'The setpoint now and why, until when, what comes next, and about when the setpoint is reached.',
    response: success('The outlook.', 'Outlook'),
  })
}

function airRoute(app: FastifyInstance, parts: StateParts): void {
  roomPartRoute(app, parts, 'air', (state) => state.air, {
    operationId: 'getAir',
    summary: 'How humid a room is, whether mould may grow, and whether airing helps',
    description:
      'Dew point and absolute humidity of the air, the humidity at the coldest surface of the room, for how long that has been damp, and whether opening the windows dries the room now.',
    response: success('The air.', 'Air'),
  })
}

interface RoomPart {
  operationId: string
  summary: string
  description: string
  response: ReturnType<typeof success>
}

/** A part of the state that belongs to one room. */
function roomPartRoute(
  app: FastifyInstance,
  { states, limits }: StateParts,
  name: string,
  partsOf: (state: KeptState) => Map<string, KeptAnswer>,
  { response, ...about }: RoomPart,
): void {
  app.get<{ Params: Static<typeof RoomParams> }>(
    `/buildings/:buildingId/rooms/:roomId/${name}`,
    {
      config: { actions: ['view'], costsByAnswer: true },
      schema: {
        ...about,
        tags: ['Rooms'],
        params: RoomParams,
        headers: ReadHeaders,
        response: readResponses(response, ['not_found']),
      },
    },
    async (request, reply) => {
      const { roomId } = request.params
      const state = request.reached && (await states.of(request.reached))
      const part = state && partsOf(state).get(roomId.toLowerCase())
      if (part) return sendKept(request, reply, limits, part, () => states.bill(state))
      await charge(request, reply, limits, 'read')
      throw errors.noSuchRoom(roomId)
    },
  )
}

/** The state that the caller does not have, or the one it has when the time is over. */
async function newState(
  { store, clock, states, revisions }: StateParts,
  request: FastifyRequest<InState>,
  reply: FastifyReply,
  waitMs: number,
  closing: AbortSignal,
): Promise<KeptState> {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const signal = AbortSignal.any([closing, gone.signal])
  const untilMs = performance.now() + waitMs
  let reached = request.reached
  for (;;) {
    const state = reached && (await states.of(reached))
    if (!reached || !state) throw errors.noSuchBuilding(request.params.buildingId)
    const leftMs = untilMs - performance.now()
    if (!isListed(request.headers['if-none-match'], state.tag) || signal.aborted || leftMs <= 0) return state
    const mostMs = Math.min(leftMs, Math.max(1, state.untilMs - clock.now()))
    await revisions.another(reached.id, state.stamp, mostMs, signal)
    // The key may have been revoked meanwhile, or its holder may see other rooms.
    const caller = await authenticate(store, clock, keyIn(request), reached.id)
    if (!caller) throw errors.invalidApiKey(request.issuer)
    reached = caller.building
  }
}
