import {
  Alert,
  AwayPut,
  Balancing,
  Building,
  BuildingAway,
  BuildingComfort,
  BuildingCooling,
  BuildingEnergy,
  BuildingFlexibility,
  BuildingHotWater,
  BuildingPowerLimit,
  Calendar,
  CalendarPut,
  Calendars,
  Changes,
  CoolingPut,
  ERRORS,
  ErrorBody,
  type ErrorCode,
  FeedbackPost,
  FleetFlexibility,
  History,
  HotWaterPut,
  HouseReport,
  Key,
  Log,
  Outlook,
  OverridePut,
  PowerLimitPut,
  Presence,
  PresencePut,
  Programme,
  ProgrammeCalendar,
  ProgrammeCopies,
  Proposal,
  Room,
  RoomAir,
  RoomComfort,
  RoomComfortPatch,
  RoomDiagnosis,
  RoomEnergy,
  RoomExplanation,
  RoomOverride,
  RoomPatch,
  RoomPatches,
} from '@hypocaust/domain'
import Type, { type TSchema } from 'typebox'
import { errors, type ServiceError } from '../../../base/errors.ts'
import { MAX_BODY_BYTES } from '../body.ts'
import { bodyOf } from '../errors.ts'
import { exampleOf } from './examples.ts'

/** Errors any request can meet. */
const EVERYWHERE: ErrorCode[] = [
  'moved',
  'missing_api_key',
  'invalid_api_key',
  'method_not_allowed',
  'rate_limited',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal_error',
  'unavailable',
]

/** Of a write with a body. */
export const PUT_ERRORS: ErrorCode[] = [
  'not_found',
  'invalid_json',
  'invalid_body',
  'unknown_field',
  'invalid_value',
  'read_only_key',
  'not_permitted',
  'body_too_large',
  'unsupported_media_type',
]

export const WRITE_ERRORS: ErrorCode[] = [...PUT_ERRORS, 'unknown_sensor', 'precondition_failed']

/** Of a write without one; a body that is sent all the same is read. */
export const DELETE_ERRORS: ErrorCode[] = [
  'not_found',
  'invalid_json',
  'read_only_key',
  'not_permitted',
  'body_too_large',
  'unsupported_media_type',
]

/** Of a write that can be made conditional. */
export const conditional = (codes: ErrorCode[]): ErrorCode[] => [...codes, 'precondition_failed']

/** Of a read that takes a query. */
export const QUERY_ERRORS: ErrorCode[] = ['not_found', 'unknown_field', 'invalid_value']

/** The schemas that only the document of the heating control calls by name. */
export const NAMED_OF_CONTROL: Record<string, TSchema> = {
  Programme,
  ProgrammeCopies,
  ProgrammeCalendar,
  RoomComfort,
  RoomComfortPatch,
  BuildingComfort,
  Cooling: BuildingCooling,
  CoolingPut,
  HotWater: BuildingHotWater,
  HotWaterPut,
  Flexibility: BuildingFlexibility,
  FleetFlexibility,
  Calendar,
  Calendars,
  CalendarPut,
}

/** The schemas the document calls by name. */
export const NAMED: Record<string, TSchema> = {
  Building,
  Room,
  RoomPatch,
  RoomPatches,
  History,
  Explanation: RoomExplanation,
  Diagnosis: RoomDiagnosis,
  Outlook,
  Air: RoomAir,
  Override: RoomOverride,
  OverridePut,
  FeedbackPost,
  Proposal,
  Away: BuildingAway,
  AwayPut,
  PowerLimit: BuildingPowerLimit,
  PowerLimitPut,
  Presence,
  PresencePut,
  Alert,
  Energy: BuildingEnergy,
  RoomEnergy,
  HouseReport,
  Balancing,
  Changes,
  Log,
  Key,
  Error: ErrorBody,
}

export const Ref = (name: string) => Type.Unsafe({ $ref: `${name}#` })

const OrNull = (name: string) => Type.Unsafe({ anyOf: [Ref(name), { type: 'null' }] })

const BUILDING_ID = exampleOf(Building.properties.id) as string
const ROOM_ID = exampleOf(Room.properties.id) as string

/** Everything about a building that a panel shows. */
const State = Type.Object(
  {
    building: Ref('Building'),
    rooms: Type.Array(Ref('Room')),
    alerts: Type.Array(Ref('Alert')),
    away: OrNull('Away'),
    power_limit: OrNull('PowerLimit'),
    overrides: Type.Record(Type.String(), OrNull('Override'), { description: 'By the id of the room; null: none.' }),
    outlooks: Type.Record(Type.String(), Ref('Outlook'), { description: 'By the id of the room.' }),
    air: Type.Record(Type.String(), Ref('Air'), { description: 'By the id of the room.' }),
    proposals: Type.Record(Type.String(), OrNull('Proposal'), {
      description: 'What is proposed for a room after `feedback`, by the id of the room; null: none.',
    }),
    timezone: Type.String({ description: 'Of the building, as in the IANA database.', examples: ['Europe/Berlin'] }),
    revision: Type.String({ description: 'Another one whenever anything else in it is: the `ETag` without quotes.' }),
  },
  {
    description: 'The state of a building: each part as its own path answers it.',
    examples: [
      {
        building: exampleOf(Building),
        rooms: [exampleOf(Room)],
        alerts: [],
        away: null,
        power_limit: null,
        overrides: { [ROOM_ID]: null },
        outlooks: { [ROOM_ID]: exampleOf(Outlook) },
        air: { [ROOM_ID]: exampleOf(RoomAir) },
        proposals: { [ROOM_ID]: null },
        timezone: 'Europe/Berlin',
        revision: 'wGGW5pgI1OrGHGHRz3zVHJ2NqR5hPyaK',
      },
    ],
  },
)

NAMED.State = State

/** The parts of a state, each of which an event can have alone. */
export const STATE_PARTS = Object.keys(State.properties).filter((name) => name !== 'revision')

const EXAMPLE_ISSUER = 'https://heating.example.org'

/** An example of each error, made by the same constructors as the real ones. */
const SAMPLES: Record<ErrorCode, ServiceError> = {
  moved: errors.moved(BUILDING_ID, 'https://cell-2.example.org', '/v1/buildings'),
  invalid_json: errors.invalidJson(),
  invalid_body: errors.invalidBody(),
  unknown_field: errors.unknownField('target_temprature'),
  invalid_value: errors.invalidValue('target_temperature must be at most 35.'),
  unknown_sensor: errors.unknownSensor('a4:c1:38:5e:01:ff'),
  missing_api_key: errors.missingApiKey(EXAMPLE_ISSUER),
  invalid_api_key: errors.invalidApiKey(EXAMPLE_ISSUER),
  read_only_key: errors.readOnlyKey(),
  not_permitted: errors.notPermitted('guest', 'away'),
  not_found: errors.noSuchBuilding(BUILDING_ID),
  method_not_allowed: errors.methodNotAllowed('DELETE', 'GET, HEAD'),
  not_acceptable: errors.notAcceptable('text/event-stream'),
  precondition_failed: errors.preconditionFailed('room'),
  request_timeout: errors.requestTimeout(),
  body_too_large: errors.bodyTooLarge(MAX_BODY_BYTES),
  uri_too_long: errors.uriTooLong(),
  unsupported_media_type: errors.unsupportedMediaType(),
  rate_limited: errors.rateLimited(40),
  headers_too_large: errors.headersTooLarge(),
  internal_error: errors.internal(),
  unavailable: errors.unavailable(),
}

/** The error responses of a route, one entry a status, described by the one table of errors. */
export function errorResponses(codes: ErrorCode[]) {
  const byStatus = Map.groupBy([...codes, ...EVERYWHERE], (code) => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join('\n\n'),
        content: {
          'application/json': {
            schema: Ref('Error'),
            examples: Object.fromEntries(
              codes.map((code) => [code, { summary: ERRORS[code].when, value: bodyOf(SAMPLES[code]) }]),
            ),
          },
        },
      },
    ]),
  )
}

const exampleNamed = (name: string) => exampleOf((NAMED[name] ?? NAMED_OF_CONTROL[name]) as TSchema)

/** A successful answer that may be null. */
export function successOrNull(description: string, name: string) {
  const example = exampleNamed(name)
  const schema = Type.Unsafe({ anyOf: [Ref(name), { type: 'null' }] })
  return { description, content: { 'application/json': { schema, example } } }
}

/** The answer to a DELETE of what a building or a room has one of. */
export const ENDED = {
  description: 'There is none any more.',
  content: { 'application/json': { schema: { type: 'null' }, examples: { ended: { value: null } } } },
}

export const ifMatching = (what: string): string =>
  `The \`ETag\` of the ${what} you have, also where it is null; if it has changed since, nothing is written and the answer is \`412\`.`

/** A successful answer: one of the named schemas, or a list of them. */
export function success(description: string, name: string, form: 'one' | 'list' = 'one') {
  const example = exampleNamed(name)
  const [schema, value] = form === 'list' ? [Type.Array(Ref(name)), [example]] : [Ref(name), example]
  return { description, content: { 'application/json': { schema, example: value } } }
}

const NOT_MODIFIED = {
  description: 'Unchanged since the answer whose `ETag` was sent as `If-None-Match`.',
  type: 'null',
}

export const readResponses = (answer: ReturnType<typeof success>, codes: ErrorCode[] = []) => ({
  200: answer,
  304: NOT_MODIFIED,
  ...errorResponses(codes),
})

export const ReadHeaders = Type.Object({
  'If-None-Match': Type.Optional(
    Type.String({
      description:
        'The `ETag` of the answer you have; if nothing changed, the new one is a `304`, which costs nothing.',
      examples: ['"wGGW5pgI1OrGHGHRz3zVHJ2NqR5hPyaK"'],
    }),
  ),
})

/** Of a change to something that can be read. */
export const writeHeaders = (description: string) =>
  Type.Object({
    'If-Match': Type.Optional(Type.String({ description, examples: ['"wGGW5pgI1OrGHGHRz3zVHJ2NqR5hPyaK"'] })),
  })

export const BuildingParams = Type.Object({
  buildingId: Type.String({ description: 'The `id` of a building, in upper or lower case.', examples: [BUILDING_ID] }),
})

export const RoomParams = Type.Object({
  ...BuildingParams.properties,
  roomId: Type.String({ description: 'The `id` of a room, in upper or lower case.', examples: [ROOM_ID] }),
})
