import {
  AppBuilding,
  actionsOfBuildingPatch,
  BuildingPatch,
  ContactAssignment,
  HouseFileUpload,
  NewBuilding,
  OverviewEntry,
  ReportedContact,
  ReportedSensor,
  UploadedHouse,
} from '@hypocaust/domain'
import { MAX_YAML_BYTES } from '@hypocaust/domain/yaml'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import type { Quotas } from '../../../base/quotas.ts'
import { applyHouse } from '../../../house/buildings/apply.ts'
import type { Availability } from '../../../house/buildings/buildings.ts'
import {
  addBuilding,
  appBuildingsOf,
  changeBuilding,
  removeBuilding,
  type Which,
} from '../../../house/buildings/manage.ts'
import { readHouseFile } from '../../../house/buildings/read-house-file.ts'
import type { CalendarNetwork } from '../../../house/calendars/network.ts'
import { assignContact, contactsOf } from '../../../house/contacts/contacts.ts'
import { requireAll } from '../../../house/membership.ts'
import { reportedSensors } from '../../../house/readings/reported-sensors.ts'
import { overviewOf } from '../../../people/alerts/overview.ts'
import type { Store } from '../../../store/store.ts'
import { calendarChanges, chargeCalendarChange } from '../calendars.ts'
import { DONE, idOf, ofBuilding } from './answers.ts'
import type { InBuilding } from './scope.ts'

export interface HouseParts {
  store: Store
  clock: Clock
  availability: Availability
  /** Left out, an account may have as much as it likes. */
  quotas?: Quotas
  /** Left out, calendars may be of public addresses only. */
  calendarNetwork?: CalendarNetwork
  authorityFingerprint?: string
  /** Where the service listens, for the address that gateways are given. */
  listensOn?: string
  onBuildingChanged(buildingId: string): void
}

/** The text, and the JSON around it. */
const MAX_HOUSE_FILE_BODY_BYTES = MAX_YAML_BYTES + 64 * 1024

interface InContact {
  Params: { buildingId: string; contactId: string }
}

const ofContact = Type.Object({ ...ofBuilding.properties, ...idOf('contactId', 'contact').properties })

export function appBuildingRoutes(app: FastifyInstance, parts: HouseParts): void {
  listRoutes(app, parts)
  changeRoutes(app, parts)
  deviceRoutes(app, parts)
  houseFileRoute(app, parts)
}

/** The building as the website shows it to the account. */
export async function appBuildingOf(parts: HouseParts, accountId: string, buildingId: string): Promise<AppBuilding> {
  const [building] = await buildingsFor(parts, accountId, { buildingId })
  if (!building) throw errors.noSuchBuilding(buildingId)
  return building
}

const buildingsFor = ({ store, clock, availability }: HouseParts, accountId: string, which: Which) =>
  appBuildingsOf(store, accountId, which, availability, clock.now())

function listRoutes(app: FastifyInstance, parts: HouseParts): void {
  const { store, clock, availability } = parts

  app.get<{ Querystring: { id?: string; room_id?: string } }>(
    '/buildings',
    {
      schema: {
        hide: true,
        summary: 'List the buildings of the account with their rooms, or only the one asked for',
        querystring: Type.Object({
          id: Type.Optional(Type.String({ description: 'Only the building with this id.' })),
          room_id: Type.Optional(Type.String({ description: 'Only the building with this room.' })),
        }),
        response: { 200: Type.Array(AppBuilding) },
      },
    },
    ({ signedIn: { accountId }, query: { id, room_id: roomId } }) => {
      if (id !== undefined) return buildingsFor(parts, accountId, { buildingId: id })
      return buildingsFor(parts, accountId, roomId === undefined ? 'all' : { roomId })
    },
  )

  app.get(
    '/overview',
    {
      schema: {
        hide: true,
        summary: 'List the buildings of the account in a line each, with what they need',
        response: { 200: Type.Array(OverviewEntry) },
      },
    },
    (request) => overviewOf(store, request.signedIn.accountId, availability, clock.now()),
  )
}

function changeRoutes(app: FastifyInstance, parts: HouseParts): void {
  const { store, clock, onBuildingChanged, quotas } = parts

  app.post<{ Body: NewBuilding }>(
    '/buildings',
    { schema: { hide: true, summary: 'Add a building', body: NewBuilding, response: { 200: AppBuilding } } },
    async ({ signedIn: { accountId }, body }) =>
      appBuildingOf(parts, accountId, await addBuilding(store, clock, accountId, body, quotas)),
  )

  app.patch<InBuilding & { Body: BuildingPatch }>(
    '/buildings/:buildingId',
    {
      config: { actions: ['set_up', 'plan', 'away'] },
      schema: {
        hide: true,
        summary: 'Change a building',
        params: ofBuilding,
        body: BuildingPatch,
        response: { 200: AppBuilding },
      },
    },
    async ({ signedIn, membership, params: { buildingId }, body }) => {
      requireAll(membership, actionsOfBuildingPatch(body))
      await changeBuilding(store, clock, buildingId, body)
      onBuildingChanged(buildingId)
      return appBuildingOf(parts, signedIn.accountId, buildingId)
    },
  )

  app.delete<InBuilding>(
    '/buildings/:buildingId',
    {
      config: { actions: ['remove'] },
      schema: {
        hide: true,
        summary: 'Remove a building with all that belongs to it',
        params: ofBuilding,
        response: DONE,
      },
    },
    async (request, reply) => {
      await removeBuilding(store, request.params.buildingId)
      return reply.code(204).send()
    },
  )
}

/** The sensors and window contacts that were heard in a building. */
function deviceRoutes(app: FastifyInstance, { store, clock, onBuildingChanged }: HouseParts): void {
  app.get<InBuilding>(
    '/buildings/:buildingId/sensors',
    {
      config: { actions: ['set_up'] },
      schema: {
        hide: true,
        summary: 'List the sensors heard in a building',
        params: ofBuilding,
        response: { 200: Type.Array(ReportedSensor) },
      },
    },
    ({ params }) => reportedSensors(store, params.buildingId, clock.now()),
  )

  app.get<InBuilding>(
    '/buildings/:buildingId/contacts',
    {
      config: { actions: ['set_up'] },
      schema: {
        hide: true,
        summary: 'List the window contacts heard in a building',
        params: ofBuilding,
        response: { 200: Type.Array(ReportedContact) },
      },
    },
    ({ params }) => contactsOf(store, params.buildingId),
  )

  app.patch<InContact & { Body: ContactAssignment }>(
    '/buildings/:buildingId/contacts/:contactId',
    {
      config: { actions: ['set_up'] },
      schema: {
        hide: true,
        summary: 'Give a window contact to a room, or to none',
        params: ofContact,
        body: ContactAssignment,
        response: DONE,
      },
    },
    async ({ params: { buildingId, contactId }, body: { room_id: roomId } }, reply) => {
      const assigned = await assignContact(store, clock, { buildingId, id: contactId, roomId })
      if (assigned === 'no_contact') throw errors.noSuch('contact', contactId)
      if (assigned === 'no_room') throw errors.noSuchRoom(roomId ?? '')
      onBuildingChanged(buildingId)
      return reply.code(204).send()
    },
  )
}

function houseFileRoute(app: FastifyInstance, parts: HouseParts): void {
  const { store, clock, onBuildingChanged, quotas, calendarNetwork } = parts
  const changes = calendarChanges('house files with calendars', parts)
  app.post<{ Body: HouseFileUpload }>(
    '/house-file',
    {
      bodyLimit: MAX_HOUSE_FILE_BODY_BYTES,
      schema: {
        hide: true,
        summary: 'Build or complete a building from a house file',
        body: HouseFileUpload,
        response: { 200: UploadedHouse },
      },
    },
    async ({ signedIn: { accountId }, body }) => {
      const parsed = await readHouseFile(body.text)
      if (!parsed.ok) throw errors.invalidValue(parsed.problems.map(lineOf).join('\n'))
      if (parsed.house.calendars) await chargeCalendarChange(changes, accountId)
      const options = { accountId, overwriteSettings: false, prune: false, ...(calendarNetwork && { calendarNetwork }) }
      const { building, rooms, gateways } = await applyHouse(store, clock, parsed.house, options, quotas)
      onBuildingChanged(building.id)
      return { building, rooms: rooms.length, gateways: gateways.length }
    },
  )
}

const lineOf = ({ line, field, message }: { line: number; field: string; message: string }): string =>
  `${line}: ${field ? `${field}: ` : ''}${message}`
