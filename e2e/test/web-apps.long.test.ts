import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newPkce } from '@hypocaust/testing/oauth.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../service/src/base/clock.ts'
import { addClient, type OauthClient } from '../../service/src/people/oauth/clients.ts'
import { describeInBrowser, EMAIL, HOUSE, PASSWORD, Site } from './site.ts'

const TWO = [HOUSE, { ...HOUSE, key: 'cabin', name: 'Cabin', rooms: [] }]

describeInBrowser('Apps of other makers', () => {
  const site = new Site()
  /** A website of its own: to a browser, another site than the one under test. */
  const app = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page))
  let page = ''
  let client: OauthClient
  beforeAll(async () => {
    app.listen(0, '127.0.0.1')
    await Promise.all([once(app, 'listening'), site.start()])
    const accountId = await site.addAccount()
    for (const house of TWO) await site.addHouse(accountId, house)
    const redirectUris = ['http://127.0.0.1/back']
    client = await addClient(
      site.store,
      { name: 'Sun Panel', redirectUris, isSelfRegistered: false },
      systemClock.now(),
    )
  })
  afterAll(async () => {
    app.close()
    await site.stop()
  })

  const appUrl = () => `http://127.0.0.1:${(app.address() as AddressInfo).port}`
  const post = async (path: string, form: Record<string, string>) => {
    const answer = await fetch(site.url + path, { method: 'POST', body: new URLSearchParams(form) })
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields it expects
    return (await answer.json()) as any
  }
  const buildings = async (token: string) => {
    const answer = await fetch(`${site.url}/v1/buildings`, { headers: { authorization: `Bearer ${token}` } })
    return { status: answer.status, names: answer.ok ? ((await answer.json()) as { name: string }[]) : [] }
  }

  test('one sends a person here, is allowed one building, gets back, reads it, and is ended on the page', async () => {
    const { verifier, challenge } = newPkce()
    const query = new URLSearchParams({
      ...{ client_id: client.id, redirect_uri: `${appUrl()}/back`, response_type: 'code', scope: 'read control' },
      ...{ state: 's t&=', code_challenge: challenge, code_challenge_method: 'S256' },
    })
    page = `<a href="${site.url}/authorize?${query.toString().replaceAll('&', '&amp;')}">Connect</a>`
    const phone = await site.openSignedIn('phone')
    await phone.goto(appUrl())
    await phone.getByRole('link', { name: 'Connect' }).click()
    await phone.getByRole('heading', { name: 'Sun Panel asks for access' }).waitFor()
    await phone.getByText(`Afterwards your browser opens ${new URL(appUrl()).host}.`).waitFor()
    await phone.getByText(`Signed in as ${EMAIL}.`).waitFor()
    await phone.getByRole('button', { name: 'Allow' }).click()
    await phone.getByText('Choose access to at least one building.').waitFor()
    const cabin = phone.getByLabel('Cabin')
    await cabin.getByRole('radio', { name: 'Read', exact: true }).click()
    await phone.getByRole('button', { name: 'Allow' }).click()
    await phone.waitForURL((url) => url.origin === appUrl())
    const back = new URL(phone.url())
    expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual(['s t&=', site.url])
    const { access_token: token, scope } = await post('/oauth/token', {
      ...{ grant_type: 'authorization_code', client_id: client.id, redirect_uri: `${appUrl()}/back` },
      ...{ code: back.searchParams.get('code') ?? '', code_verifier: verifier },
    })
    expect(scope).toBe('read')
    expect(await buildings(token)).toMatchObject({ status: 200, names: [{ name: 'Cabin' }] })

    await phone.goto(`${site.url}/settings/apps`)
    await phone.getByRole('heading', { name: 'Sun Panel' }).waitFor()
    await phone.getByText('Cabin: Read').waitFor()
    await phone.getByRole('button', { name: 'End the access of Sun Panel' }).click()
    await phone.getByRole('dialog').getByRole('button', { name: 'End access' }).click()
    await phone.getByText('No app is connected.').waitFor()
    expect((await buildings(token)).status).toBe(401)
    await site.leave(phone)
  })

  test('the pages on which a person decides are framed by nobody, and their address is told to no other site', async () => {
    for (const path of ['/authorize?code=x', '/device?user_code=x']) {
      const { headers } = await fetch(site.url + path, { headers: { accept: 'text/html' } })
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('referrer-policy')).toBe('same-origin')
    }
  })

  test('a request for somebody else’s address is refused here, and leads nowhere', async () => {
    const query = new URLSearchParams({
      client_id: client.id,
      redirect_uri: `${appUrl()}/other`,
      response_type: 'code',
    })
    const desktop = await site.openSignedIn('desktop')
    await desktop.goto(`${site.url}/authorize?${query}`)
    await desktop.getByText('This request is not valid').waitFor()
    expect(new URL(desktop.url()).origin).toBe(site.url)
    expect(await desktop.getByRole('button', { name: 'Allow' }).count()).toBe(0)
    await site.leave(desktop)
  })

  test('a device shows a code; a person signs in in German, enters it and allows both buildings', async () => {
    const started = await post('/oauth/device_authorization', { client_id: client.id, scope: 'read control' })
    const context = await site.newContext('phone', { locale: 'de-DE' })
    const phone = await context.newPage()
    await phone.goto(started.verification_uri_complete)
    await phone.getByLabel('E-Mail-Adresse').fill(EMAIL)
    await phone.getByLabel('Passwort', { exact: true }).fill(PASSWORD)
    await phone.getByRole('button', { name: 'Anmelden', exact: true }).click()
    const code = phone.getByLabel('Code')
    expect(await code.inputValue()).toBe(started.user_code)
    await code.fill('BBBB-BBBB')
    await phone.getByRole('button', { name: 'Weiter' }).click()
    await phone.getByText('Kein Gerät wartet mit diesem Code.').waitFor()
    await code.fill(started.user_code.toLowerCase())
    await phone.getByRole('button', { name: 'Weiter' }).click()
    await phone.getByText(`wenn das Gerät vor dir ${started.user_code} anzeigt`).waitFor()
    for (const { name } of TWO) await phone.getByLabel(name).getByRole('radio', { name: 'Lesen und steuern' }).click()
    await phone.getByRole('button', { name: 'Erlauben' }).click()
    await phone.getByText('Das Gerät hat jetzt Zugriff').waitFor()
    const { access_token: token } = await post('/oauth/token', {
      ...{ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: client.id },
      device_code: started.device_code,
    })
    expect((await buildings(token)).names).toHaveLength(2)
    await phone.goto(`${site.url}/settings/apps`)
    await phone.getByRole('heading', { name: 'Verbundene Apps' }).waitFor()
    await phone.getByText('Cabin: Lesen und steuern').waitFor()
    await context.close()
  })
})
