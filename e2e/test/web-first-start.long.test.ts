import { PowerCommand, parsePayload } from '@hypocaust/domain'
import { eventually } from '@hypocaust/testing/eventually.ts'
import mqtt from 'mqtt'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { shortId } from '../../web/src/setup/sensor-name.ts'
import { barriers } from './barriers.ts'
import { describeInBrowser, EMAIL, EVERY_SIZE, PASSWORD, Site, WITH_SERVICE_WORKER } from './site.ts'

const HELD_SENSOR = 'a4:c1:38:5e:01:02'
const OTHER_SENSOR = 'a4:c1:38:5e:01:03'

/** A gateway on the wire: paired with the code, it reports two sensors, one of which was breathed on. */
class Gateway {
  readonly #client: mqtt.MqttClient
  readonly #topic: string
  #n = 0
  readonly power = new Map<number, number>()

  private constructor(client: mqtt.MqttClient, id: string) {
    this.#client = client
    this.#topic = `hypocaust/v1/${id}`
  }

  static async pair(site: Site, code: string): Promise<Gateway> {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${site.url}/app/gateways/pair`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ code }),
    })
    const { gateway_id: id, token } = (await answer.json()) as { gateway_id: string; token: string }
    const client = await mqtt.connectAsync(site.mqttUrl, { username: id, password: token, clientId: id })
    const gateway = new Gateway(client, id)
    client.on('message', (_topic, payload) => gateway.#obey(payload))
    await client.subscribeAsync(`${gateway.#topic}/down/power`)
    await gateway.#say('status', { state: 'online', boot: 'b1', version: '1.0.0', channels: 4 })
    await gateway.#say('heartbeat', { boot: 'b1', timestamp: new Date().toISOString(), clock_ok: true })
    return gateway
  }

  report(humidity: number, ageS = 0): Promise<void> {
    return this.hear([{ id: HELD_SENSOR, temperature: 16.8, humidity }, { id: OTHER_SENSOR }], ageS)
  }

  async hear(sensors: { id: string; temperature?: number; humidity?: number }[], ageS = 0): Promise<void> {
    const timestamp = new Date(Date.now() - ageS * 1000).toISOString()
    const usual = { temperature: 19.5, humidity: 41, batt: 80, rssi: -55, timestamp }
    const readings = sensors.map((sensor) => ({ ...usual, ...sensor }))
    await this.#say('readings', { boot: 'b1', n: ++this.#n, backfill: false, readings })
  }

  end(): Promise<void> {
    return this.#client.endAsync()
  }

  #say(name: string, payload: object) {
    return this.#client.publishAsync(`${this.#topic}/up/${name}`, JSON.stringify(payload), { qos: 1 })
  }

  #obey(payload: Buffer): void {
    const command = parsePayload(PowerCommand, payload)
    if (command.ok) for (const { channel, power } of command.value.valves) this.power.set(channel, power)
  }
}

describeInBrowser('from the first start to a heated room', () => {
  let site: Site
  beforeEach(async () => {
    site = new Site()
    await site.start()
  })
  afterEach(() => site.stop())

  test.each(EVERY_SIZE)(
    'on a %s, without a manual',
    async (size) => {
      const page = await site.open(size, WITH_SERVICE_WORKER)
      await createOwner(page)
      await page.getByRole('link', { name: 'Add a building' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Lakeside 12')
      await page.getByRole('button', { name: 'Add a building' }).click()
      expect(
        await page
          .getByRole('textbox', { name: 'Town' })
          .evaluate((field) => field === field.ownerDocument.activeElement),
      ).toBe(true)
      expect(await page.getByLabel('Latitude').isVisible()).toBe(false)
      await page.getByRole('textbox', { name: 'Town' }).fill('Oslo')
      await page.getByRole('button', { name: 'Oslo Norway' }).click()
      await page.locator('summary', { hasText: 'Coordinates and time zone' }).click()
      expect(await page.getByLabel('Latitude').inputValue()).toBe('59.91')
      expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Oslo')
      await page.locator('#zones option[value="Europe/Oslo"]').waitFor({ state: 'attached' })
      await page.getByRole('button', { name: 'Add a building' }).click()

      await page.getByRole('heading', { name: 'Set-up of Lakeside 12' }).waitFor()
      await page.goto(page.url().replace(/setup$/, 'settings'))
      await expect.poll(() => page.getByRole('textbox', { name: 'Town' }).inputValue()).toBe('Oslo')
      await page.goBack()
      await page.getByLabel('Name of the new gateway').fill('cellar')
      await page.getByRole('button', { name: 'Add a gateway' }).click()
      const dialog = page.getByRole('dialog', { name: 'Pair the gateway' })
      const code = await dialog.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/).innerText()
      await dialog.getByRole('img', { name: /QR code/ }).waitFor()
      const gateway = await Gateway.pair(site, code)
      await dialog.getByText('The gateway is paired and reports.').waitFor()
      await dialog.getByRole('button', { name: 'Done' }).click()
      await page.getByText('The gateway reports.').waitFor()
      await page.getByRole('button', { name: 'Next: Sensors' }).click()

      await gateway.report(40, 120)
      await gateway.report(71)
      await page.getByText('2 sensors report.').waitFor()
      await page.getByRole('button', { name: 'Next: Rooms' }).click()
      await page.getByText('probably the one you breathed on').waitFor()
      await page.getByRole('button', { name: `More about the room with sensor ${shortId(HELD_SENSOR)}` }).click()
      const newRoom = page.getByRole('dialog', { name: 'New room' })
      await newRoom.getByLabel('Name of the room').fill('Bathroom')
      await newRoom.getByRole('button', { name: 'Icon Bathroom' }).waitFor()
      expect(await barriers(page, 'new room')).toEqual([])
      await newRoom.getByRole('radio', { name: 'Dry construction' }).check()
      await newRoom.getByRole('button', { name: '3', exact: true }).click()
      await newRoom.getByRole('button', { name: 'Add room' }).click()
      await newRoom.waitFor({ state: 'hidden' })
      await page.getByText('Assign the sensors to rooms (1 of 2)').waitFor()
      await page.getByRole('link', { name: 'Go to rooms' }).click()

      const room = page.getByRole('article', { name: 'Bathroom' })
      await room.getByText('16.8°').waitFor()
      // Manual: when the control itself first opens a valve depends on the hour.
      await room.getByRole('link', { name: 'Bathroom' }).click()
      await page.getByText('Why is it').waitFor()
      await page.getByRole('radio', { name: 'Manual' }).click()
      await page
        .getByRole('region', { name: 'Now' })
        .getByText(/manual \d+/)
        .waitFor()
      await eventually(() => (gateway.power.get(3) ?? 0) > 0)
      expect(gateway.power.get(1)).toBe(0)
      await gateway.end()
      await page.context().close()
    },
    300_000,
  )

  test('six rooms take at most fifteen taps and seven fields, up to the search for their loops', async () => {
    const page = await site.open('phone', {
      geolocation: { latitude: 59.91, longitude: 10.75 },
      permissions: ['geolocation'],
    })
    await createOwner(page)
    let [taps, fields] = [0, 0]
    const tap = async (role: 'link' | 'button', name: string) => {
      taps++
      await page.getByRole(role, { name, exact: true }).click()
    }
    const fill = async (label: string, text: string) => {
      fields++
      await page.getByLabel(label, { exact: true }).fill(text)
    }
    await tap('link', 'Add a building')
    await fill('Name', 'Lakeside 12')
    await tap('button', 'Use the location of this device')
    await page.getByRole('button', { name: 'Use the location of this device' }).and(page.locator(':enabled')).waitFor()
    await tap('button', 'Add a building')
    await tap('button', 'Add a gateway')
    const dialog = page.getByRole('dialog', { name: 'Pair the gateway' })
    const gateway = await Gateway.pair(site, await dialog.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/).innerText())
    await dialog.getByText('The gateway is paired and reports.').waitFor()
    await tap('button', 'Done')
    const rooms = ['Bathroom', 'Kitchen', 'Living room', 'Bedroom', 'Hall', 'Office']
    const sensors = rooms.map((_, i) => `a4:c1:38:5e:01:1${i}`)
    await gateway.hear(sensors.map((id) => ({ id })))
    await tap('button', 'Next: Sensors')
    await page.getByText('6 sensors report.').waitFor()
    await tap('button', 'Next: Rooms')
    for (const [i, id] of sensors.entries()) await fill(`Room with sensor ${shortId(id)}`, rooms[i] ?? '')
    await tap('button', 'Add 6 rooms')
    await page.getByText('6 rooms are set up.').waitFor()
    await tap('button', 'Next: Loops')
    await tap('button', 'Find the rooms of all loops')
    await tap('button', 'Start search')
    await page.getByText('0 of 4 loops done').waitFor()
    const stored = await site.store.db.selectFrom('rooms').select('name').orderBy('id').execute()
    expect(stored.map(({ name }) => name)).toEqual(rooms)
    // One more confirms what the search has found.
    expect(taps + 1).toBeLessThanOrEqual(15)
    expect(fields).toBeLessThanOrEqual(7)
    await gateway.end()
    await page.context().close()
  })
})

async function createOwner(page: Page): Promise<void> {
  await page.getByText('Create the owner’s account').waitFor()
  await page.getByLabel('E-mail address').fill(EMAIL)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
}
