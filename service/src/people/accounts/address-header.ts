/** The header in which the caller's address is handed to better-auth; a request's own one of that name is not passed on. */
export const ADDRESS_HEADER = 'x-hypocaust-address'
