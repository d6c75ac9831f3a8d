import { WEBSITE } from '@hypocaust/testing/browser.ts'
import { openTestStore } from '@hypocaust/testing/database.ts'
import { expect, test } from 'vitest'
import { AuthByOrigin } from '../src/people/accounts/auth-by-origin.ts'

test('a host name of the caller’s invention makes no new instance of the sign-in library', async () => {
  const { store, close } = await openTestStore('sqlite')
  const auths = new AuthByOrigin(store, { secret: WEBSITE.authSecret })
  const instances = await Promise.all(Array.from({ length: 20 }, (_, n) => auths.at(`http://host-${n}.example`)))
  expect(new Set(instances).size).toBe(1)
  expect(await auths.at('https://host.example')).not.toBe(instances[0])
  const [one, other, again] = [
    await auths.forPasskeysAt('https://one.example'),
    await auths.forPasskeysAt('https://other.example'),
    await auths.forPasskeysAt('https://one.example'),
  ]
  expect(one).not.toBe(other)
  expect(again).toBe(one)
  await close()
})
