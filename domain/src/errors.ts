import Type, { type Static } from 'typebox'
import { APP_ERRORS, type AppErrorCode } from './app/errors.ts'
import { OneOf } from './schema.ts'

/** Every error of the interface: its code, status, and when it occurs. The API document is made from this table. */
export const ERRORS = {
  moved: {
    status: 307,
    when: 'The building is on another server now: send the request to the address in `Location`. Where all buildings of the key have moved, requests that name none are answered so too.',
  },
  invalid_json: { status: 400, when: 'The body is not JSON, is empty, or has a key twice.' },
  invalid_body: { status: 400, when: 'The body is JSON, but not an object.' },
  unknown_field: {
    status: 400,
    when: 'A field does not exist or may not be written, or there is no such parameter; the message names it.',
  },
  invalid_value: {
    status: 400,
    when: 'A value has the wrong type, is out of range, or is not one of the allowed values.',
  },
  unknown_sensor: { status: 400, when: '`sensor_id` is well-formed, but does not belong to this building.' },
  missing_api_key: { status: 401, when: 'There is no `x-api-key` header.' },
  invalid_api_key: { status: 401, when: 'The key is unknown, malformed, expired or revoked.' },
  read_only_key: { status: 403, when: 'A write with a read-only key.' },
  not_permitted: { status: 403, when: 'The role of the key’s holder in the building does not allow it.' },
  not_found: { status: 404, when: 'No such building, room or path. Buildings of other accounts do not exist for you.' },
  method_not_allowed: { status: 405, when: 'The path exists, the method does not; `Allow` lists those that do.' },
  not_acceptable: { status: 406, when: 'The path answers with another type than `Accept` asks for.' },
  request_timeout: { status: 408, when: 'The request did not arrive in time.' },
  precondition_failed: { status: 412, when: 'What was to be changed is no longer as the `ETag` in `If-Match` says.' },
  body_too_large: { status: 413, when: 'The body is over 16 KiB.' },
  uri_too_long: { status: 414, when: 'The path and query are too long.' },
  unsupported_media_type: { status: 415, when: 'The body is not `application/json`.' },
  rate_limited: { status: 429, when: 'The key’s budget is used up; `Retry-After` gives the seconds to wait.' },
  headers_too_large: { status: 431, when: 'The headers are too large.' },
  internal_error: { status: 500, when: 'An internal error occurred.' },
  unavailable: {
    status: 503,
    when: 'The service is temporarily unavailable; `Retry-After` gives the seconds to wait.',
  },
} as const

export type ErrorCode = keyof typeof ERRORS

const bodyWith = <const Code extends string>(codes: Code[]) =>
  Type.Object(
    {
      error: Type.Object({
        code: OneOf(codes, 'Machine-readable. Later versions may add codes.', 'not_found' as Code),
        message: Type.String({
          description: 'For a person; names the field or id it is about.',
          examples: ['No such building: 019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'],
        }),
      }),
    },
    { description: 'The form of every error.' },
  )

export const ErrorBody = bodyWith(Object.keys(ERRORS) as ErrorCode[])
export type ErrorBody = Static<typeof ErrorBody>

/** On `/app` there are more codes. */
export const AppErrorBody = bodyWith(Object.keys({ ...ERRORS, ...APP_ERRORS }) as (ErrorCode | AppErrorCode)[])
export type AppErrorBody = Static<typeof AppErrorBody>
