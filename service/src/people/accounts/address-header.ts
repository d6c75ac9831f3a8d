/** The header in which the caller's address is handed to better-auth; a request's own one of that name is not passed on. */
export const ADDRESS_HEADER = 'x-hypocaust-address'

/** On the request of a reset, made by us: the account's API keys are to end too. */
export const REVOKE_KEYS_HEADER = 'x-hypocaust-revoke-keys'
