import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, HOUSE, Site } from './site.ts'

describeInBrowser('prices in the building settings', () => {
  const site = new Site()
  let buildingId: string
  beforeAll(async () => {
    await site.start()
    buildingId = (await site.addHouse(await site.addAccount(), HOUSE)).building.id
  })
  afterAll(() => site.stop())

  const stored = () =>
    site.store.db
      .selectFrom('buildings')
      .select(['comfort', 'tariff', 'heatSource'])
      .where('id', '=', buildingId)
      .executeTakeFirstOrThrow()

  test('comfort, heat source and a night tariff are chosen, and stay after a reload', async () => {
    const page = await site.openSignedIn('phone', { path: `/buildings/${buildingId}/settings` })
    await page.getByRole('radio', { name: 'Comfort first' }).click()
    await page.getByText('held at their comfort temperature in expensive hours too').waitFor()
    await page
      .getByRole('group', { name: 'Heat source', exact: true })
      .getByRole('radio', { name: 'Heat pump' })
      .check()
    await page.getByRole('button', { name: 'Save heat source' }).click()
    await page.getByText('Heat source saved.').waitFor()
    expect(await page.getByRole('group', { name: 'Heat source', exact: true }).count()).toBe(1)
    await page
      .getByRole('group', { name: 'Price of a kWh', exact: true })
      .getByRole('radio', { name: 'By time of day' })
      .check()
    await page.getByLabel('Price per kWh').last().fill('0.185')
    await page.getByRole('button', { name: 'Save tariff' }).click()
    await page.getByText('Tariff saved.').waitFor()
    const { comfort, tariff, heatSource } = await stored()
    expect(comfort).toBe('comfort_first')
    expect(JSON.parse(heatSource ?? 'null')).toEqual({ kind: 'heat_pump' })
    expect(JSON.parse(tariff ?? 'null')).toEqual({
      kind: 'times',
      steps: [
        { at: '06:00', price: 0.3 },
        { at: '22:00', price: 0.185 },
      ],
    })
    await page.reload()
    expect(await page.getByLabel('Price per kWh').last().inputValue()).toBe('0.185')
    await page
      .getByRole('group', { name: 'Price of a kWh', exact: true })
      .getByRole('radio', { name: 'Not specified' })
      .check()
    await page.getByRole('button', { name: 'Save tariff' }).click()
    await page.getByRole('button', { name: 'Save tariff' }).waitFor({ state: 'hidden' })
    expect((await stored()).tariff).toBeNull()
    await site.leave(page)
  })

  test('what is known of a heat source is filled in, and saving another figure of it loses nothing', async () => {
    const source = { kind: 'heat_pump', cop: 4.2, supply: { min: 24, max: 38 } }
    await site.store.db
      .updateTable('buildings')
      .set({ heatSource: JSON.stringify(source) })
      .where('id', '=', buildingId)
      .execute()
    const page = await site.openSignedIn('phone', { path: `/buildings/${buildingId}/settings` })
    await page
      .getByRole('group', { name: 'Heat source', exact: true })
      .getByRole('radio', { name: 'District heating' })
      .check()
    await page
      .getByRole('group', { name: 'Heat source', exact: true })
      .getByRole('radio', { name: 'Heat pump' })
      .check()
    await page.getByLabel('Warmest water').fill('40')
    await page.getByRole('button', { name: 'Save heat source' }).click()
    await page.getByText('Heat source saved.').waitFor()
    expect(JSON.parse((await stored()).heatSource ?? 'null')).toEqual({ ...source, supply: { min: 24, max: 40 } })
    await page.getByLabel('Coefficient of performance').fill('')
    await page.getByRole('switch', { name: 'The rooms decide the supply temperature' }).click()
    await page.getByRole('button', { name: 'Save heat source' }).click()
    await page.getByRole('button', { name: 'Save heat source' }).waitFor({ state: 'hidden' })
    expect(JSON.parse((await stored()).heatSource ?? 'null')).toEqual({ kind: 'heat_pump' })
    await site.leave(page)
  })

  test('an area that cannot be one is refused with the reason', async () => {
    const page = await site.openSignedIn('desktop', { path: `/buildings/${buildingId}/settings` })
    await page
      .getByRole('group', { name: 'Price of a kWh', exact: true })
      .getByRole('radio', { name: 'Day-ahead prices' })
      .check()
    await page.getByLabel('Market area').fill('../NO1')
    await page.getByRole('button', { name: 'Save tariff' }).click()
    await page.getByText('The name of a market area has only letters, digits and dashes.').waitFor()
    expect((await stored()).tariff).toBeNull()
    await site.leave(page)
  })
})
