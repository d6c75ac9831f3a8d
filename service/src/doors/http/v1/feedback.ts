import type { FeedbackPost } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import { pressFeedback } from '../../../house/rooms/feedback.ts'
import { findOverride } from '../../../house/rooms/schedule-inputs.ts'
import { sendNull } from '../send-null.ts'
import { findNamedRoom, type InRoom, type RoomParts } from './rooms.ts'
import { errorResponses, PUT_ERRORS, Ref, RoomParams, successOrNull } from './schemas.ts'

/** "Too cold" and "too warm" for panels, switches on the wall and assistants. */
export function feedbackRoute(app: FastifyInstance, { store, clock, onBuildingChanged }: RoomParts): void {
  app.post<InRoom & { Body: FeedbackPost }>(
    '/buildings/:buildingId/rooms/:roomId/feedback',
    {
      config: { actions: ['steer'] },
      onRequest: (request) => findNamedRoom(store, request),
      schema: {
        operationId: 'postFeedback',
        summary: 'A person finds the room too cold or too warm',
        description:
          'Sets a small override, half a degree with each press and at most 2 K from the target or the plan, for three hours or until the programme asks for as much. The press is remembered for 28 days; after presses on several days at a similar time, `proposals` of the state has another programme or target, which a person accepts or dismisses on the website. Refused with `invalid_value` while the room is off or under manual power.',
        tags: ['Rooms'],
        params: RoomParams,
        body: Ref('FeedbackPost'),
        response: {
          200: successOrNull('The override that helps now; null where it has ended already.', 'Override'),
          ...errorResponses(PUT_ERRORS),
        },
      },
    },
    async ({ roomScope, body }, reply) => {
      await pressFeedback(store, clock, roomScope, body.feeling)
      onBuildingChanged(roomScope.buildingId)
      return (await findOverride(store, roomScope.roomId, clock.now())) ?? sendNull(reply)
    },
  )
}
