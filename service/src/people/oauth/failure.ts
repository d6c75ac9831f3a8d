/** The codes of RFC 6749, 7009, 7591, 8628 and 8707 that the service answers. */
export type OauthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'

/** A refusal to an app, in the form that OAuth gives it. */
export class OauthFailure extends Error {
  readonly code: OauthErrorCode

  constructor(code: OauthErrorCode, message: string) {
    super(message)
    this.name = 'OauthFailure'
    this.code = code
  }
}
