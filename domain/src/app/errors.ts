/** Errors only the website's own interface (`/app`) knows, beside those of `/v1`. */
export const APP_ERRORS = {
  not_signed_in: { status: 401, when: 'There is no session, or it has ended.' },
  wrong_credentials: { status: 401, when: 'The e-mail address, password, code or passkey is not right.' },
  foreign_origin: { status: 403, when: 'The request comes from a page of another site.' },
  sign_up_closed: { status: 403, when: 'Accounts are created by whoever runs the service.' },
  taken: { status: 409, when: 'There is already one of that name.' },
} as const

export type AppErrorCode = keyof typeof APP_ERRORS
