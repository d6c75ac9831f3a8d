import {
  ACTIONS,
  type Action,
  APP_ERRORS,
  type AppErrorCode,
  ERRORS,
  type ErrorCode,
  type Role,
} from '@hypocaust/domain'

/** A refusal with one of the interface's codes. The edge turns it into a response. */
export class ServiceError extends Error {
  readonly code: ErrorCode | AppErrorCode
  readonly headers: Record<string, string>

  constructor(code: ErrorCode | AppErrorCode, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.name = 'ServiceError'
    this.code = code
    this.headers = headers
  }

  get status(): number {
    return { ...ERRORS, ...APP_ERRORS }[this.code].status
  }
}

const RETRY_AFTER_S = 2

/** How to authenticate, as HTTP asks of every 401, and where an app finds out how to get a token (RFC 9728). */
const asksForKey = (issuer: string) => ({
  'www-authenticate': `ApiKey realm="Hypocaust", header="x-api-key", Bearer realm="Hypocaust", resource_metadata="${issuer}/.well-known/oauth-protected-resource"`,
})

/** In quotes where it would otherwise be overlooked in a sentence. */
const named = (field: string): string => (/^[\w.-]+$/.test(field) ? field : JSON.stringify(field))

export const errors = {
  invalidJson: () => new ServiceError('invalid_json', 'The body is not valid JSON.'),
  duplicateKey: (key: string) =>
    new ServiceError('invalid_json', `The body is not valid JSON: ${named(key)} occurs twice in one object.`),
  invalidBody: () => new ServiceError('invalid_body', 'The body must be a JSON object.'),
  unknownField: (...path: string[]) =>
    new ServiceError('unknown_field', `The field ${path.map(named).join('.')} does not exist or may not be written.`),
  unknownParameter: (name: string) => new ServiceError('unknown_field', `There is no parameter ${named(name)}.`),
  invalidValue: (message: string) => new ServiceError('invalid_value', message),
  unstorableText: (field: string) =>
    errors.invalidValue(`${named(field)} must not contain NUL or half of a surrogate pair.`),
  unknownSensor: (id: string) =>
    new ServiceError('unknown_sensor', `sensor_id: no such sensor in this building: ${id}`),
  missingApiKey: (issuer: string) =>
    new ServiceError('missing_api_key', 'The header x-api-key is missing.', asksForKey(issuer)),
  invalidApiKey: (issuer: string) =>
    new ServiceError('invalid_api_key', 'The API key is not valid.', asksForKey(issuer)),
  wrongMetricsToken: () =>
    new ServiceError('wrong_credentials', 'The figures need the token of this service: Authorization: Bearer TOKEN.', {
      'www-authenticate': 'Bearer',
    }),
  foreignHost: (host: string) =>
    new ServiceError(
      'foreign_origin',
      `Hypocaust does not know the name ${host} as its own. Open the page by the machine’s IP address or its name in the local network, or set HYPOCAUST_PUBLIC_URL.`,
    ),
  readOnlyKey: () =>
    new ServiceError('read_only_key', 'This API key is read-only; changes need a key with write permission.'),
  notPermitted: (role: Role, action: Action) =>
    new ServiceError(
      'not_permitted',
      `As ${role} of this building you may not: ${ACTIONS[action].does.replace(/^./, (first) => first.toLowerCase())}.`,
    ),
  notOfControl: () =>
    new ServiceError(
      'not_permitted',
      'This API key does not open the settings of the heating control. Create one that does: "also the settings of the heating control".',
    ),
  noSuchBuilding: (id: string) => new ServiceError('not_found', `No such building: ${id}`),
  moved: (id: string, url: string, path: string) =>
    new ServiceError('moved', `The building ${id} has moved to ${url}.`, {
      location: `${url}${path}`,
      'cache-control': 'no-store',
    }),
  noSuchRoom: (id: string) => new ServiceError('not_found', `No such room: ${id}`),
  noSuchPairingCode: () =>
    new ServiceError('not_found', 'No such pairing code: it is mistyped, already used, or expired.'),
  noSuchUserCode: () =>
    new ServiceError('not_found', 'No device waits with this code: it is mistyped, already used, or expired.'),
  noSuch: (what: string, id: string) => new ServiceError('not_found', `No such ${what}: ${id}`),
  notSignedIn: () => new ServiceError('not_signed_in', 'Sign in first: there is no session, or it has expired.'),
  wrongCredentials: (message = 'The e-mail address or the password is wrong.') =>
    new ServiceError('wrong_credentials', message),
  foreignOrigin: () => new ServiceError('foreign_origin', 'The request comes from a page of another website.'),
  signUpClosed: () =>
    new ServiceError(
      'sign_up_closed',
      'Only the operator of this service can create accounts: hypocaust account create.',
    ),
  quotaReached: (message: string) => new ServiceError('quota_reached', message),
  removedMeanwhile: () =>
    new ServiceError('not_found', 'Something this request refers to has just been removed by another request.'),
  cameSecond: () => new ServiceError('taken', 'Another request made the same change first; look again, then retry.'),
  taken: (message: string) => new ServiceError('taken', message),
  noSuchInvitation: () =>
    new ServiceError('not_found', 'No such invitation: it has been used or withdrawn, or is older than seven days.'),
  otherAddress: () =>
    new ServiceError('other_address', 'The invitation is for another e-mail address. Sign in with that account.'),
  awaitsConfirmation: () =>
    new ServiceError(
      'awaits_confirmation',
      'The invitation is for one e-mail address, which a new account has not proved. An owner of the building must confirm it.',
    ),
  lastOwner: () =>
    new ServiceError('last_owner', 'A building needs at least one owner. Invite another one or hand it over first.'),
  noSuchPath: (path: string) => new ServiceError('not_found', `No such path: ${path}`),
  methodNotAllowed: (method: string, allow: string) =>
    new ServiceError('method_not_allowed', `${method} is not allowed here; allowed methods: ${allow}.`, { allow }),
  notAcceptable: (type: string) =>
    new ServiceError('not_acceptable', `This path answers with ${type}: send the header Accept: ${type}.`),
  preconditionFailed: (what: string) =>
    new ServiceError(
      'precondition_failed',
      `The ${what} has changed since the answer whose ETag was sent as If-Match.`,
    ),
  requestTimeout: () => new ServiceError('request_timeout', 'The request did not arrive in time.'),
  headersTooLarge: () => new ServiceError('headers_too_large', 'The headers are larger than 32 KiB.'),
  bodyTooLarge: (limitBytes: number) =>
    new ServiceError('body_too_large', `The body is larger than ${Math.floor(limitBytes / 1024)} KiB.`),
  uriTooLong: () => new ServiceError('uri_too_long', 'The path and query are too long.'),
  unsupportedMediaType: () =>
    new ServiceError('unsupported_media_type', 'Send the body as content-type: application/json.'),
  secondFactorLocked: (untilMs: number, nowMs: number) =>
    new ServiceError(
      'rate_limited',
      `The second factor is locked until ${new Date(untilMs).toISOString().slice(11, 16)} UTC, after too many wrong codes.`,
      { 'retry-after': String(Math.max(1, Math.ceil((untilMs - nowMs) / 1000))) },
    ),
  rateLimited: (retryAfterS: number) =>
    new ServiceError('rate_limited', `Too many requests; try again in ${retryAfterS} s.`, {
      'retry-after': String(retryAfterS),
    }),
  internal: () =>
    new ServiceError(
      'internal_error',
      'An internal error occurred. The log of the service has the details under this request id.',
    ),
  moving: () => errors.unavailable('The building is being moved to another server; try again shortly.'),
  overloaded: () => errors.unavailable('The service is overloaded; try again shortly.'),
  unavailable: (message = 'The service is temporarily unavailable; try again shortly.') =>
    new ServiceError('unavailable', message, { 'retry-after': String(RETRY_AFTER_S) }),
}
