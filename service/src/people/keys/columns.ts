/** What is read of a key: all but its hash. */
export const KEY_COLUMNS = [
  'id',
  'accountId',
  'name',
  'hint',
  'permission',
  'buildings',
  'control',
  'createdAt',
  'lastUsedAt',
  'expiresAt',
  'revokedAt',
] as const

/** What a request is admitted and answered by. */
export const CALLER_KEY_COLUMNS = [
  'id',
  'accountId',
  'name',
  'permission',
  'control',
  'lastUsedAt',
  'expiresAt',
  'revokedAt',
  'clientId',
] as const
