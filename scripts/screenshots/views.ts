import type { Page } from 'playwright-core'
import { EMAIL, PASSWORD } from '../../e2e/test/stage.ts'

/** Ids of what was staged, by name. */
export interface Staged {
  url: string
  firstStartUrl: string
  stagedMs: number
  buildings: Record<'own' | 'never' | 'silent' | 'alive' | 'heard', string>
  rooms: Record<'bathroom' | 'bedroom', string>
}

export const OWNER = EMAIL
export const SEVERAL = 'grace@example.org'
export const EMPTY = 'new@example.org'

export interface View {
  name: string
  /** Who is signed in. */
  account: typeof OWNER | typeof SEVERAL | typeof EMPTY | null
  address(staged: Staged): string
  /** Before the page is opened. */
  before?(page: Page): Promise<unknown>
  /** On the page. */
  then(page: Page): Promise<unknown>
}

type Path = string | ((staged: Staged) => string)

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor()
const viewOf =
  (account: View['account']) =>
  (name: string, path: Path, then: View['then'] = heading, before?: View['before']): View => ({
    name,
    account,
    address: (staged) => staged.url + (typeof path === 'string' ? path : path(staged)),
    then,
    ...(before && { before }),
  })

const own = viewOf(OWNER)
const several = viewOf(SEVERAL)
const empty = viewOf(EMPTY)
const stranger = viewOf(null)

const bathroom = ({ rooms }: Staged) => `/rooms/${rooms.bathroom}`
const chart = (page: Page) => page.locator('.uplot canvas').waitFor()
const span = (name: string) => async (page: Page) => {
  await chart(page)
  const answered = page.waitForResponse(/\/history\?/)
  await page.getByRole('radio', { name }).click()
  await answered
}

const tiles = (page: Page) => page.getByRole('article').first().waitFor()
const wholeSetUp = (page: Page) => page.getByRole('list', { name: 'Steps' }).waitFor()
const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()

async function createKey(page: Page): Promise<void> {
  await press('Create a key')(page)
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Home Assistant')
  await form.getByLabel(/Read and write/).check()
}

async function showKey(page: Page): Promise<void> {
  await createKey(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click()
  await page.getByText(/^hyp_\w{38}$/).waitFor()
}

/** The service is asked and says no. */
const refuse = (page: Page, path: string) =>
  page.route(path, (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'The service is busy.' } } }),
  )

const steered = (mode: string) => async (page: Page) => {
  await chart(page)
  await page.route('**/app/rooms/*', () => undefined)
  await page.getByRole('radio', { name: mode }).click()
}

export const VIEWS: View[] = [
  { ...stranger('first-start', '/'), address: ({ firstStartUrl }) => firstStartUrl },
  stranger('sign-in', '/'),
  stranger('sign-in-wrong', '/', async (page) => {
    await page.getByLabel('E-mail address').fill(EMPTY)
    await page.getByLabel('Password').fill(`not ${PASSWORD}`)
    await press('Sign in')(page)
    await page.getByRole('alert').waitFor()
  }),
  stranger(
    'error',
    '/',
    (page) => page.getByRole('alert').waitFor(),
    (page) => refuse(page, '**/app/session'),
  ),
  stranger('new-password', '/reset-password#email=ada%40example.org&token=of-the-mail', (page) =>
    page.getByLabel('New password').waitFor(),
  ),
  stranger('new-password-too-late', '/reset-password', (page) => page.getByRole('alert').waitFor()),
  empty('home-empty', '/'),
  empty('alerts-none', '/alerts', (page) => page.getByText('No alerts. Everything is fine.').waitFor()),
  several('home-several', '/'),
  several('building-never', ({ buildings }) => `/buildings/${buildings.never}`),
  several('building-silent', ({ buildings }) => `/buildings/${buildings.silent}`),
  several('building-alive', ({ buildings }) => `/buildings/${buildings.alive}`),
  own('home', '/', tiles),
  own('home-sending', '/', async (page) => {
    await page.route('**/app/rooms/*', () => undefined)
    await press('Raise Kitchen by half a degree')(page)
    await page.getByText('sending').first().waitFor()
  }),
  own('home-refused', '/', async (page) => {
    await refuse(page, '**/app/rooms/*')
    await press('Raise Kitchen by half a degree')(page)
    await page.getByText('Not changed').waitFor()
  }),
  own(
    'home-error',
    '/',
    (page) => page.getByRole('alert').waitFor(),
    (page) => refuse(page, '**/app/overview'),
  ),
  own('offline', '/', async (page) => {
    await tiles(page)
    await page.context().setOffline(true)
    await page.getByText('No connection').waitFor()
  }),
  own('away', '/', async (page) => {
    await tiles(page)
    await press('Away')(page)
    await page.getByRole('dialog').waitFor()
  }),
  own(
    'presence',
    ({ buildings }) => `/buildings/${buildings.own}/presence`,
    (page) => page.getByText(/^Nobody home for|^Seit 30/).waitFor(),
  ),
  own('override', bathroom, async (page) => {
    await press('For a while …')(page)
    await page.getByRole('dialog').waitFor()
  }),
  own(
    'programme',
    ({ rooms }) => `/rooms/${rooms.bathroom}/programme`,
    (page) => page.getByRole('heading', { name: 'Monday' }).waitFor(),
  ),
  own('room-day', bathroom, chart),
  own('room-week', bathroom, span('Week')),
  own('room-month', bathroom, span('Month')),
  own('room-year', bathroom, span('Year')),
  own('room-humidity', bathroom, async (page) => {
    await chart(page)
    await press('Humidity')(page)
    const moment = page.getByRole('slider', { name: 'Moment in the chart' })
    await moment.focus()
    await moment.press('PageDown')
  }),
  own('room-why', bathroom, async (page) => {
    await chart(page)
    await page.getByText('In detail').click()
  }),
  own('room-by-hand', bathroom, steered('Manual')),
  own('room-off', bathroom, steered('Off')),
  own('room-settings', ({ rooms }) => `/rooms/${rooms.bathroom}/settings`),
  own('room-remove', ({ rooms }) => `/rooms/${rooms.bathroom}/settings`, press('Remove this room')),
  own('setup', ({ buildings }) => `/buildings/${buildings.own}/setup`, wholeSetUp),
  own(
    'building-settings',
    ({ buildings }) => `/buildings/${buildings.own}/settings`,
    (page) => page.getByText('Name and place').waitFor(),
  ),
  several('setup-nothing', ({ buildings }) => `/buildings/${buildings.never}/setup`, wholeSetUp),
  several(
    'setup-pairing',
    ({ buildings }) => `/buildings/${buildings.never}/setup`,
    async (page) => {
      await press('Pairing code')(page)
      await page.getByRole('img', { name: /QR code/ }).waitFor()
    },
  ),
  several(
    'setup-breathe',
    ({ buildings }) => `/buildings/${buildings.heard}/setup`,
    (page) => page.getByText('probably the one you breathed on').waitFor(),
  ),
  several(
    'setup-new-room',
    ({ buildings }) => `/buildings/${buildings.heard}/setup`,
    (page) =>
      page
        .getByRole('button', { name: /More about the room/ })
        .first()
        .click(),
  ),
  own('new-building', '/buildings/new'),
  own('alerts', '/alerts', (page) => page.getByText('battery').first().waitFor()),
  own('settings', '/settings'),
  own('notifications', '/settings/notifications', (page) => page.getByRole('switch').first().waitFor()),
  own('keys', '/settings/keys', (page) => page.getByText('Revoked and expired').waitFor()),
  own('key-new', '/settings/keys', createKey),
  own('key-shown', '/settings/keys', showKey),
  own('key-leaving', '/settings/keys', async (page) => {
    await showKey(page)
    await press('Done')(page)
  }),
  own('key-revoke', '/settings/keys', press('Revoke Spreadsheet')),
  own('security', '/settings/security', (page) => page.getByText('this device').waitFor()),
  own('second-factor', '/settings/security', async (page) => {
    await press('Turn on')(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('img', { name: /QR code/ }).waitFor()
  }),
  own('not-found', '/no-such-page'),
]
