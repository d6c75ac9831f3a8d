import { AllRoomsPut, AppBuilding, AppOverridePut, AppRoom, ChangeSet, PlanCopy, PresencePut } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import { reportPresence } from '../../../house/buildings/presence.ts'
import { changeAllRooms } from '../../../house/rooms/all.ts'
import { copyPlan } from '../../../house/rooms/manage.ts'
import { endOverrides, overrideRooms } from '../../../house/rooms/override.ts'
import { DONE, ofBuilding, ofRoom } from './answers.ts'
import { appBuildingOf, type HouseParts } from './buildings.ts'
import { roomOf } from './rooms.ts'
import type { InBuilding, InRoom } from './scope.ts'

/** Changes of one room or of all rooms of a building that last for a while, or that give one plan to many. */
export function appOverrideRoutes(app: FastifyInstance, parts: HouseParts): void {
  roomOverrideRoutes(app, parts)
  buildingOverrideRoutes(app, parts)
  allRoomsRoute(app, parts)
  presenceRoute(app, parts)
  planCopyRoute(app, parts)
}

function roomOverrideRoutes(app: FastifyInstance, { store, clock, onBuildingChanged }: HouseParts): void {
  app.put<InRoom & { Body: AppOverridePut }>(
    '/rooms/:roomId/override',
    {
      config: { actions: ['steer'] },
      schema: {
        hide: true,
        summary: 'Override a room for a while',
        params: ofRoom,
        body: AppOverridePut,
        response: { 200: AppRoom },
      },
    },
    async ({ roomScope, body }) => {
      await overrideRooms(store, clock, roomScope.buildingId, [roomScope.roomId], body)
      onBuildingChanged(roomScope.buildingId)
      return roomOf(store, clock, roomScope)
    },
  )

  app.delete<InRoom>(
    '/rooms/:roomId/override',
    {
      config: { actions: ['steer'] },
      schema: { hide: true, summary: 'End the override of a room', params: ofRoom, response: { 200: AppRoom } },
    },
    async ({ roomScope }) => {
      await endOverrides(store, clock, roomScope.buildingId, [roomScope.roomId])
      onBuildingChanged(roomScope.buildingId)
      return roomOf(store, clock, roomScope)
    },
  )
}

function buildingOverrideRoutes(app: FastifyInstance, parts: HouseParts): void {
  const { store, clock, onBuildingChanged } = parts

  app.put<InBuilding & { Body: AppOverridePut }>(
    '/buildings/:buildingId/override',
    {
      config: { actions: ['away'] },
      schema: {
        hide: true,
        summary: 'Override all rooms of a building for a while',
        params: ofBuilding,
        body: AppOverridePut,
        response: { 200: AppBuilding },
      },
    },
    async ({ signedIn, params: { buildingId }, body }) => {
      await overrideRooms(store, clock, buildingId, 'all', body)
      onBuildingChanged(buildingId)
      return appBuildingOf(parts, signedIn.accountId, buildingId)
    },
  )

  app.delete<InBuilding>(
    '/buildings/:buildingId/override',
    {
      config: { actions: ['away'] },
      schema: {
        hide: true,
        summary: 'End the overrides of all rooms of a building',
        params: ofBuilding,
        response: { 200: AppBuilding },
      },
    },
    async ({ signedIn, params: { buildingId } }) => {
      await endOverrides(store, clock, buildingId, 'all')
      onBuildingChanged(buildingId)
      return appBuildingOf(parts, signedIn.accountId, buildingId)
    },
  )
}

function allRoomsRoute(app: FastifyInstance, { store, clock, onBuildingChanged }: HouseParts): void {
  app.post<InBuilding & { Body: AllRoomsPut }>(
    '/buildings/:buildingId/all-rooms',
    {
      config: { actions: ['away'] },
      schema: {
        hide: true,
        summary: 'Change all rooms of a building alike; returns the changes, by which it can be undone',
        params: ofBuilding,
        body: AllRoomsPut,
        response: { 200: ChangeSet },
      },
    },
    async ({ params: { buildingId }, body }) => {
      const changes = await changeAllRooms(store, clock, buildingId, body.action)
      onBuildingChanged(buildingId)
      return { changes }
    },
  )
}

function presenceRoute(app: FastifyInstance, parts: HouseParts): void {
  const { store, clock, onBuildingChanged } = parts

  app.put<InBuilding & { Body: PresencePut }>(
    '/buildings/:buildingId/presence',
    {
      config: { actions: ['away'] },
      schema: {
        hide: true,
        summary: 'Say who is home',
        params: ofBuilding,
        body: PresencePut,
        response: { 200: AppBuilding },
      },
    },
    async ({ signedIn, params: { buildingId }, body }) => {
      await reportPresence(store, clock, buildingId, body)
      onBuildingChanged(buildingId)
      return appBuildingOf(parts, signedIn.accountId, buildingId)
    },
  )
}

function planCopyRoute(app: FastifyInstance, { store, clock, onBuildingChanged }: HouseParts): void {
  app.post<InRoom & { Body: PlanCopy }>(
    '/rooms/:roomId/programme/copies',
    {
      config: { actions: ['plan'] },
      schema: {
        hide: true,
        summary: 'Give the programme of a room to other rooms of the building',
        params: ofRoom,
        body: PlanCopy,
        response: DONE,
      },
    },
    async ({ roomScope, body }, reply) => {
      await copyPlan(store, clock, roomScope, body.room_ids)
      onBuildingChanged(roomScope.buildingId)
      return reply.code(204).send()
    },
  )
}
