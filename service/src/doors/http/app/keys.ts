import { CreatedKey, KeyEntry, NewKey, timestampOf } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import type { Quotas } from '../../../base/quotas.ts'
import { type ApiKey, createKey, keyView, listKeys, revokeKey } from '../../../people/keys/keys.ts'
import type { Store } from '../../../store/store.ts'
import { idOf } from './answers.ts'

interface KeyParts {
  store: Store
  clock: Clock
  quotas?: Quotas
}

export function appKeyRoutes(app: FastifyInstance, { store, clock, quotas }: KeyParts): void {
  const find = async (accountId: string, id: string) => {
    const key = (await listKeys(store, accountId)).find((entry) => entry.id === id)
    if (!key) throw errors.noSuch('key', id)
    return entryOf(key)
  }

  app.get(
    '/keys',
    { schema: { hide: true, summary: 'List the API keys of the account', response: { 200: Type.Array(KeyEntry) } } },
    async ({ signedIn }) => (await listKeys(store, signedIn.accountId)).map(entryOf).reverse(),
  )

  app.post<{ Body: NewKey }>(
    '/keys',
    {
      schema: {
        hide: true,
        summary: 'Create an API key; its value is returned only once',
        body: NewKey,
        response: { 200: CreatedKey },
      },
    },
    async ({ signedIn: { accountId }, body }) => {
      const expiresAt = body.expires_at === null ? null : Date.parse(body.expires_at)
      if (expiresAt !== null && !(expiresAt > clock.now()))
        throw errors.invalidValue('expires_at must be in the future')
      const buildingIds = body.building_ids ?? undefined
      const { permission, control } = body
      const key = { accountId, name: body.name.trim(), permission, expiresAt, buildingIds, control }
      const { id, value } = await createKey(store, clock, key, quotas)
      return { ...(await find(accountId, id)), value }
    },
  )

  app.delete<{ Params: { keyId: string } }>(
    '/keys/:keyId',
    {
      schema: {
        hide: true,
        summary: 'Revoke an API key, at once',
        params: idOf('keyId', 'key'),
        response: { 200: KeyEntry },
      },
    },
    async ({ signedIn: { accountId }, params: { keyId } }) => {
      if (!(await revokeKey(store, clock, { id: keyId, accountId }))) throw errors.noSuch('key', keyId)
      return find(accountId, keyId)
    },
  )
}

const entryOf = (key: ApiKey): KeyEntry => ({
  ...keyView(key),
  hint: key.hint,
  control: key.control === 1,
  building_ids: key.buildings === null ? null : JSON.parse(key.buildings),
  created: timestampOf(key.createdAt),
  last_used: key.lastUsedAt === null ? null : timestampOf(key.lastUsedAt),
  revoked: key.revokedAt === null ? null : timestampOf(key.revokedAt),
})
