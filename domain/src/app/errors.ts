/** Errors only the website's own interface (`/app`) knows, beside those of `/v1`. */
export const APP_ERRORS = {
  not_signed_in: { status: 401, when: 'There is no session, or it has expired.' },
  wrong_credentials: { status: 401, when: 'The e-mail address, password, code or passkey is wrong.' },
  foreign_origin: { status: 403, when: 'The request comes from a page of another website.' },
  sign_up_closed: { status: 403, when: 'Only the operator of the service creates accounts.' },
  awaits_confirmation: { status: 409, when: 'An owner must confirm the address of the new account.' },
  other_address: { status: 403, when: 'The invitation is for another e-mail address.' },
  last_owner: { status: 409, when: 'The building would have no owner left.' },
  quota_reached: { status: 409, when: 'The account or building already has as many of these as the operator allows.' },
  taken: { status: 409, when: 'The name is already in use, or another request made the same change first.' },
} as const

export type AppErrorCode = keyof typeof APP_ERRORS
