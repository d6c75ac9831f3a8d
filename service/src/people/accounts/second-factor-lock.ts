import type { Kysely } from 'kysely'
import type { Store } from '../../store/store.ts'

interface Tables {
  verification: { identifier: string; value: string }
  twoFactor: { userId: string; lockedUntil: Date | string | null }
}

const SIGN_IN_COOKIE = /(?:^|;\s*)(?:__Secure-)?hypocaust\.two_factor=([^;]+)/

/** When the second factor of the account that is halfway in can be tried again; better-auth says only that it is locked. */
export async function lockedUntilMs({ db }: Store, cookies: string | undefined): Promise<number | undefined> {
  const [, signed] = SIGN_IN_COOKIE.exec(cookies ?? '') ?? []
  if (signed === undefined) return undefined
  const [identifier = ''] = decodeURIComponent(signed).split('.', 1)
  // better-auth spells its tables its own way.
  const plain = db.withoutPlugins() as unknown as Kysely<Tables>
  const row = await plain
    .selectFrom('verification')
    .innerJoin('twoFactor', 'twoFactor.userId', 'verification.value')
    .select('twoFactor.lockedUntil')
    .where('verification.identifier', '=', identifier)
    .executeTakeFirst()
  return row?.lockedUntil ? new Date(row.lockedUntil).getTime() : undefined
}
