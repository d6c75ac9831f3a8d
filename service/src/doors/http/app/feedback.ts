import { AppRoom, FeedbackPost } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import { dismissProposal, pressFeedback } from '../../../house/rooms/feedback.ts'
import { ofRoom } from './answers.ts'
import type { HouseParts } from './buildings.ts'
import { roomOf } from './rooms.ts'
import type { InRoom } from './scope.ts'

/** A proposal is accepted as any change of the room is made. */
export function appFeedbackRoutes(app: FastifyInstance, { store, clock, onBuildingChanged }: HouseParts): void {
  app.post<InRoom & { Body: FeedbackPost }>(
    '/rooms/:roomId/feedback',
    {
      config: { actions: ['steer'] },
      schema: {
        hide: true,
        summary: 'A person finds the room too cold or too warm',
        params: ofRoom,
        body: FeedbackPost,
        response: { 200: AppRoom },
      },
    },
    async ({ roomScope, body }) => {
      await pressFeedback(store, clock, roomScope, body.feeling)
      onBuildingChanged(roomScope.buildingId)
      return roomOf(store, clock, roomScope)
    },
  )

  app.delete<InRoom>(
    '/rooms/:roomId/proposal',
    {
      config: { actions: ['plan'] },
      schema: { hide: true, summary: 'Dismiss what is proposed', params: ofRoom, response: { 200: AppRoom } },
    },
    async ({ roomScope }) => {
      await dismissProposal(store, clock, roomScope)
      return roomOf(store, clock, roomScope)
    },
  )
}
