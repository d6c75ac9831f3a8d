import { ERRORS, type ErrorCode } from '@hypocaust/domain'
import Type from 'typebox'

/** Errors any request with a key can meet. */
const EVERYWHERE: ErrorCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'rate_limited',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal_error',
  'unavailable',
]

export const RESOURCE_ERRORS: ErrorCode[] = ['not_found', 'method_not_allowed']

export const WRITE_ERRORS: ErrorCode[] = [
  'invalid_json',
  'invalid_body',
  'unknown_field',
  'invalid_value',
  'unknown_sensor',
  'read_only_key',
  'body_too_large',
  'unsupported_media_type',
]

export const Ref = (name: string) => Type.Unsafe({ $ref: `${name}#` })

/** The error responses of a route, one entry a status, described by the one table of errors. */
export function errorResponses(...groups: ErrorCode[][]) {
  const byStatus = Map.groupBy([...groups.flat(), ...EVERYWHERE], (code) => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join('\n\n'),
        content: {
          'application/json': {
            schema: Ref('Error'),
            examples: Object.fromEntries(
              codes.map((code) => [code, { value: { error: { code, message: ERRORS[code].when } } }]),
            ),
          },
        },
      },
    ]),
  )
}

const NOT_MODIFIED = {
  description: 'Unchanged since the answer whose `ETag` was sent as `If-None-Match`.',
  type: 'null',
}

export const readResponses = (description: string, schema: object, ...groups: ErrorCode[][]) => ({
  200: { description, content: { 'application/json': { schema } } },
  304: NOT_MODIFIED,
  ...errorResponses(['method_not_allowed'], ...groups),
})

export const BuildingParams = Type.Object({
  buildingId: Type.String({
    description: 'The `id` of a building.',
    examples: ['019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'],
  }),
})

export const RoomParams = Type.Object({
  ...BuildingParams.properties,
  roomId: Type.String({ description: 'The `id` of a room.', examples: ['019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b'] }),
})
