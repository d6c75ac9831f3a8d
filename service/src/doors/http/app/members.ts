import { MemberEntry, mayDo, RoleGrant } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { changeMember, membersOf, removeMember } from '../../../people/members/members.ts'
import { DONE, idOf, ofBuilding } from './answers.ts'
import type { HouseParts } from './buildings.ts'
import type { InBuilding } from './scope.ts'

interface InMember {
  Params: { buildingId: string; memberId: string }
}

const ofMember = Type.Object({ ...ofBuilding.properties, ...idOf('memberId', 'member').properties })

export function appMemberRoutes(app: FastifyInstance, { store, clock }: Pick<HouseParts, 'store' | 'clock'>): void {
  app.get<InBuilding>(
    '/buildings/:buildingId/members',
    {
      config: { actions: ['view'] },
      schema: {
        hide: true,
        summary: 'List the members of a building; members who are not owners see only their own role',
        params: ofBuilding,
        response: { 200: Type.Array(MemberEntry) },
      },
    },
    async ({ params: { buildingId }, signedIn, membership }) => {
      const members = await membersOf(store, buildingId, signedIn.accountId, clock.now())
      return mayDo(membership.role, 'members') ? members : members.filter(({ is_self }) => is_self)
    },
  )

  app.patch<InMember & { Body: RoleGrant }>(
    '/buildings/:buildingId/members/:memberId',
    {
      config: { actions: ['members'] },
      schema: {
        hide: true,
        summary: 'Change the role of a member',
        params: ofMember,
        body: RoleGrant,
        response: DONE,
      },
    },
    async ({ params: { buildingId, memberId: accountId }, body }, reply) => {
      await changeMember(store, clock, { buildingId, accountId }, body)
      return reply.code(204).send()
    },
  )

  app.delete<InMember>(
    '/buildings/:buildingId/members/:memberId',
    {
      config: { actions: ['members'] },
      schema: { hide: true, summary: 'Remove a member, at once', params: ofMember, response: DONE },
    },
    async ({ params: { buildingId, memberId: accountId } }, reply) => {
      await removeMember(store, clock, { buildingId, accountId })
      return reply.code(204).send()
    },
  )

  app.delete<InBuilding>(
    '/buildings/:buildingId/membership',
    {
      config: { actions: ['view'] },
      schema: { hide: true, summary: 'Leave a building', params: ofBuilding, response: DONE },
    },
    async ({ params: { buildingId }, signedIn: { accountId } }, reply) => {
      await removeMember(store, clock, { buildingId, accountId })
      return reply.code(204).send()
    },
  )
}
