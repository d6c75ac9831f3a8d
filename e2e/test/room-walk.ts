import { DAY_S } from '@hypocaust/domain'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Site, type Size, validationMessage } from './site.ts'

/** All that the page of a room offers: chart, off with undo, manual with the keyboard, settings. */
export async function walkThroughRoom(site: Site, size: Size): Promise<void> {
  const page = await site.openSignedIn(size)
  await page.getByRole('article', { name: 'Bathroom' }).getByRole('link', { name: 'Bathroom' }).click()
  await page.getByRole('heading', { name: 'Bathroom', level: 1 }).waitFor()
  await page.locator('.uplot canvas').waitFor()
  expect(await page.title()).toBe('Bathroom · Hypocaust')
  const moment = page.getByRole('slider', { name: 'Moment in the chart' })
  expect(await moment.getAttribute('aria-valuetext')).toMatch(/\d\d:\d\d: Room 20\.5°, .*Power/)
  expect(await page.getByText('Humidity', { exact: true }).count()).toBe(1)
  await page.getByRole('button', { name: 'Humidity' }).click()
  await page.locator('dt').getByText('Humidity').waitFor()
  if (size === 'phone') await dragToEarlier(page)
  await page.getByRole('radio', { name: 'Year' }).click()
  await page.locator('.uplot canvas').waitFor()
  const link = page.getByRole('link', { name: 'CSV file' })
  expect(await link.getAttribute('download')).toMatch(/^Bathroom \d+ \w+ \d{4} – \d+ \w+ \d{4}\.csv$/)
  const csv = await page.request.get(`${site.url}${await link.getAttribute('href')}`)
  expect(await csv.text()).toMatch(/^time,temperature,/)

  await page.getByRole('radio', { name: 'Off' }).click()
  await page.getByText('Bathroom is turned off.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('radio', { name: 'Heat', exact: true, checked: true }).waitFor()
  if (size === 'phone') await offAndOnFromHome(page)
  await page.getByRole('radio', { name: 'Manual' }).click()
  const slider = page.getByRole('slider', { name: 'Heating power' })
  await slider.focus()
  await page.keyboard.press('End')
  await page.getByRole('region', { name: 'Now' }).getByText('manual 100').waitFor()
  await page.getByRole('radio', { name: 'Heat', exact: true }).click()

  await page.getByRole('link', { name: /^Settings of Bathroom/ }).click()
  await page.getByLabel('Highest floor temperature').fill(size === 'phone' ? '31' : '32')
  await page.getByRole('switch', { name: 'Cooler at night' }).setChecked(true)
  await page.getByRole('switch', { name: 'Different times at the weekend' }).setChecked(true)
  await page.getByRole('group', { name: 'Saturday and Sunday' }).getByLabel('To').fill('08:15')
  // What is not saved is not lost without a question, and a night without length is refused.
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  const weekdays = page.getByRole('group', { name: 'Monday to Friday' })
  await weekdays.getByLabel('To').fill('22:30')
  await page.getByRole('button', { name: 'Save' }).click()
  const complaint = await weekdays.getByLabel('To').evaluate(validationMessage)
  expect(complaint).toBe('Start and end must differ.')
  await weekdays.getByLabel('To').fill('05:30')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  await page.getByRole('region', { name: 'Now' }).waitFor()
  await page.getByText('Night mode 22:30–05:30, −2.0° (weekend 23:30–08:15)').waitFor()
  const { maxFloorC, nightMode } = await site.room('Bathroom')
  expect(maxFloorC).toBe(size === 'phone' ? 31 : 32)
  expect(JSON.parse(nightMode ?? '')).toEqual({
    from: '22:30',
    to: '05:30',
    setback: 2,
    weekend: { from: '23:30', to: '08:15' },
  })
  await site.leave(page)
}

/** On a phone a finger moves the chart in time, and the page asks for what lies there. */
async function dragToEarlier(page: Page): Promise<void> {
  const chart = page.locator('.u-over')
  await chart.scrollIntoViewIfNeeded()
  const { x, y, width } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0 }
  const touch = await page.context().newCDPSession(page)
  const at = (share: number) => [{ x: x + width * share, y: y + 60 }]
  const asked = page.waitForResponse(/history\?/)
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0.2) })
  for (const share of [0.3, 0.4, 0.5]) {
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(share) })
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  // The last day was shown, and where there is a plan the next one too: the beginning tells how far the chart was moved.
  const fromS = Number(new URL((await asked).url()).searchParams.get('from'))
  expect(Date.now() / 1000 - fromS).toBeGreaterThan(DAY_S + 6 * 3600)
  // What it still shows of the plan has not gone.
  const moment = page.getByRole('slider', { name: 'Moment in the chart' })
  await moment.focus()
  await page.keyboard.press('End')
  await expect.poll(() => moment.getAttribute('aria-valuetext')).toContain('Expected')
}

/** Off on the room's page and on again at home: both with the way back. */
async function offAndOnFromHome(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Off' }).click()
  await page.getByText('Bathroom is turned off.').waitFor()
  await page.getByRole('link', { name: 'Home' }).click()
  const tile = page.getByRole('article', { name: 'Bathroom' })
  await tile.getByRole('button', { name: 'Turn Bathroom on' }).click()
  await page.getByText('Bathroom is heated as usual.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await tile.getByRole('button', { name: 'Turn Bathroom on' }).click()
  await tile.getByRole('link', { name: 'Bathroom' }).click()
  await page.getByRole('radio', { name: 'Heat', exact: true, checked: true }).waitFor()
}
