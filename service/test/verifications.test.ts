import { Browser, openSite } from '@hypocaust/testing/browser.ts'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { expect, test } from 'vitest'
import { forgetExpiredVerifications } from '../src/people/accounts/verifications.ts'

test.each(ENGINES)(
  'a passkey challenge nobody answers is kept until it expires, and then removed, on %s',
  async (engine) => {
    const world = await openSite(engine)
    // biome-ignore lint/suspicious/noExplicitAny: a table of the library's own, not among ours
    const db = world.store.db.withoutPlugins() as any
    const kept = async () => (await db.selectFrom('verification').select('id').execute()).length
    expect((await new Browser(world).call('POST', '/app/session/passkey/options')).status).toBe(200)
    const { expiresAt } = await db.selectFrom('verification').select('expiresAt').executeTakeFirstOrThrow()
    const expiryMs = new Date(expiresAt).getTime()
    await forgetExpiredVerifications(world.store, expiryMs - MINUTE_MS)
    expect(await kept()).toBe(1)
    await forgetExpiredVerifications(world.store, expiryMs + MINUTE_MS)
    expect(await kept()).toBe(0)
    await world.close()
  },
)
