import { keyWindow } from '../../store/rate-windows.ts'
import type { Store } from '../../store/store.ts'

export interface RateUse {
  account: string
  key: string
  hint: string
  budget: string
  used: number
  /** 0: there is no limit. */
  limit: number
}

const MOST = 50

/** The API keys that have used most of their running minute; undefined where each process counts for itself. */
export async function rateUse(
  { db, rateWindows }: Store,
  limits: { read: number; write: number },
  nowMs: number,
): Promise<RateUse[] | undefined> {
  if (!rateWindows) return undefined
  const rows = await db
    .selectFrom('rateWindows')
    .select(['name', 'used'])
    .where('name', 'like', 'api/%')
    .where('endsAt', '>', nowMs)
    .orderBy('used', 'desc')
    .limit(MOST)
    .execute()
  const ids = [...new Set(rows.map(({ name }) => name.split('/')[1] ?? ''))]
  const keys = await db
    .selectFrom('apiKeys')
    .innerJoin('user', 'user.id', 'apiKeys.accountId')
    .select(['apiKeys.id', 'apiKeys.name', 'apiKeys.hint', 'user.email'])
    .where('apiKeys.id', 'in', ids.length > 0 ? ids : [''])
    .execute()
  return rows.flatMap(({ name, used }) =>
    keys.flatMap(({ id, name: key, hint, email }) =>
      (['read', 'write'] as const)
        .filter((budget) => keyWindow(id, budget) === name)
        .map((budget) => ({ account: email, key, hint, budget, used, limit: limits[budget] })),
    ),
  )
}
