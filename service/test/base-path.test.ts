import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PASSWORD, WEBSITE } from '@hypocaust/testing/browser.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const SUPERVISOR = '172.30.32.2'
const PREFIX = '/api/hassio_ingress/x7Yq2LkP0aZr'
const PAGE = '<meta name="base-path" content="/"><script src="/start.js"></script>'

describe('a base path named by a proxy', () => {
  const folder = temporaryFolder()
  let world: World
  beforeAll(async () => {
    writeFileSync(join(folder.path, 'index.html'), PAGE)
    world = await openWorld('sqlite', {
      trustedProxies: SUPERVISOR,
      website: { ...WEBSITE, folder: folder.path },
    })
  })
  afterAll(async () => {
    await world.close()
    folder.remove()
  })

  const load = (path: string | undefined, remoteAddress = SUPERVISOR, url = '/rooms/1') =>
    world.app.inject({
      url,
      remoteAddress,
      headers: { accept: 'text/html', ...(path !== undefined && { 'x-ingress-path': path }) },
    })

  test('is where the page finds its parts, and Home Assistant may frame it', async () => {
    const { body, headers } = await load(PREFIX)
    expect(body).toBe(`<meta name="base-path" content="${PREFIX}/"><script src="${PREFIX}/start.js"></script>`)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'self'")
    expect(headers.etag).not.toBe((await load(undefined)).headers.etag)
    expect((await load(PREFIX, SUPERVISOR, '/docs')).headers.location).toBe(`${PREFIX}/docs/`)
  })

  test('is what a cache has to tell pages apart by', async () => {
    for (const path of [PREFIX, undefined]) expect((await load(path)).headers.vary).toMatch(/\bx-ingress-path\b/i)
  })

  test('is not believed of anybody else', async () => {
    for (const address of ['172.30.32.1', '172.30.33.4', '127.0.0.1', '::1']) {
      const { body, headers } = await load(PREFIX, address)
      expect(body).toBe(PAGE)
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    }
  })

  test('is nothing but a plain path', async () => {
    const strange = fc.oneof(
      fc.constantFrom('/', '//evil.example', '/a/../b', '/a"><script>', '/a;Path=/', '/a b', 'a', '/ä', '/a/', '/a%2f'),
      fc.string().filter((text) => !/^(?:\/[\w-]+)+$/.test(text) && /^[\x20-\x7e]*$/.test(text)),
      fc.constant(`/${'a'.repeat(300)}`),
    )
    await fc.assert(
      fc.asyncProperty(strange, async (path) => {
        expect((await load(path)).body).toBe(PAGE)
      }),
    )
  })

  test('keeps the cookies of the site to itself', async () => {
    const signIn = (headers: Record<string, string>) =>
      world.app.inject({
        method: 'POST',
        url: '/app/session',
        remoteAddress: SUPERVISOR,
        headers: { 'content-type': 'application/json', ...headers },
        payload: JSON.stringify({ email: 'ada@example.org', password: PASSWORD }),
      })
    const pathsOf = async (headers: Record<string, string>) => {
      const cookies = [(await signIn(headers)).headers['set-cookie'] ?? []].flat()
      return cookies.map((cookie) => /Path=([^;]*)/.exec(cookie)?.[1]).sort()
    }
    expect(await pathsOf({})).toEqual(['/', '/app'])
    expect(await pathsOf({ 'x-ingress-path': PREFIX })).toEqual([`${PREFIX}/`, `${PREFIX}/app`])
  })

  test('lets the first account be created under a name that only Home Assistant has', async () => {
    const first = await openWorld('sqlite', { trustedProxies: SUPERVISOR, website: WEBSITE })
    await first.store.db.deleteFrom('user').execute()
    const create = (headers: Record<string, string>) =>
      first.app.inject({
        method: 'POST',
        url: '/app/accounts',
        remoteAddress: SUPERVISOR,
        headers: { host: 'x.ui.nabu.casa', 'content-type': 'application/json', ...headers },
        payload: JSON.stringify({ email: 'eve@example.org', password: PASSWORD }),
      })
    expect((await create({})).statusCode).toBe(403)
    expect((await create({ 'x-ingress-path': PREFIX })).statusCode).toBe(200)
    await first.close()
  })
})
