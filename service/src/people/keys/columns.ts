/** What is read of a key: all but its hash. */
export const KEY_COLUMNS = [
  'id',
  'accountId',
  'name',
  'hint',
  'permission',
  'buildings',
  'createdAt',
  'lastUsedAt',
  'expiresAt',
  'revokedAt',
] as const
