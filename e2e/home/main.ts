// The first page of a person with many buildings, in a real browser: bytes of a refresh, time to find a building,
// and frames dropped while scrolling on a slow phone, beside those of the same page without script and of a plain list.
import { parseArgs } from 'node:util'
import { beginRun } from '@hypocaust/testing/test-run.ts'
import { EMAIL, Site } from '../test/stage.ts'
import { addHouses, nameOf } from './houses.ts'
import {
  bytesOf,
  type Frames,
  findByName,
  plainList,
  type Slowness,
  scroll,
  showList,
  untilComplete,
  withoutScript,
} from './measure.ts'

const { values } = parseArgs({
  options: {
    buildings: { type: 'string', default: '500' },
    slowdown: { type: 'string', default: '4' },
    speed: { type: 'string', default: '2000' },
    // Chromium slows itself down by the clock on the wall, so on a busy machine by too much: then multiply instead.
    multiply: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const BUILDINGS = Number(values.buildings)
const SLOWDOWN = Number(values.slowdown)
const SPEED_PX_S = Number(values.speed)
const SCREEN_HZ = 60
const SLOWNESS: Slowness = values.multiply ? { throttle: 1, factor: SLOWDOWN } : { throttle: SLOWDOWN, factor: 1 }

/** After it, the page asks for a changed list at once. */
const PAUSE_MS = 6000

// No gateway is there to report again while this runs.
await beginRun()
const site = new Site({}, { HYPOCAUST_SILENT_AFTER_S: '36000' })
try {
  await site.start()
  const accountId = await site.addAccount()
  const ids = await addHouses(site, accountId, BUILDINGS)
  print(await measure(ids))
} finally {
  await site.stop()
}

async function measure(ids: string[]) {
  const page = await site.openSignedIn('phone', {}, EMAIL)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.enable')
  const refreshed = () => page.waitForResponse((answer) => answer.url().endsWith('/app/overview'))
  const isApp = (url: string) => url.includes('/app/')
  const change = async (path: string, data: object) => {
    const answer = refreshed()
    await page.request.patch(`${site.url}/app${path}`, { data, headers: { origin: site.url } })
    await (await answer).finished()
    await page.waitForTimeout(500)
  }
  await cdp.send('Network.clearBrowserCache')
  const first = await bytesOf(cdp, isApp, async () => {
    await page.reload()
    await page.getByRole('status').getByText(`of ${BUILDINGS} buildings need attention`).waitFor()
    await page.waitForTimeout(PAUSE_MS)
  })
  const room = await site.store.db.selectFrom('rooms').select('id').executeTakeFirstOrThrow()
  const unchanged = await bytesOf(cdp, isApp, () => change(`/rooms/${room.id}`, { target_temperature: 21.5 }))
  await page.waitForTimeout(PAUSE_MS)
  const changed = await bytesOf(cdp, isApp, () => change(`/buildings/${ids[0]}`, { tags: ['East'] }))
  const serviceMs = await timeOf(async () => {
    await page.request.get(`${site.url}/app/overview`)
  })
  const rate = { rate: SLOWDOWN }
  await cdp.send('Emulation.setCPUThrottlingRate', rate)
  const showMs = await showList(page)
  const findMs = await findByName(page, nameOf(BUILDINGS - 1))
  await page.getByRole('searchbox').fill('')
  const pxAFrame = Math.round(SPEED_PX_S / SCREEN_HZ)
  const scrolled = await scroll(page, SLOWNESS, pxAFrame)
  await untilComplete(page, BUILDINGS)
  const scrolledAgain = await scroll(page, SLOWNESS, pxAFrame)
  const plain = await plainList(page, BUILDINGS)
  const noScript = await withoutScript(page)
  const noScriptScrolled = await scroll(noScript, SLOWNESS, pxAFrame)
  const plainScrolled = await scroll(plain, SLOWNESS, pxAFrame)
  const frames = { scrolled, scrolledAgain, noScriptScrolled, plainScrolled }
  const times = { serviceMs, slowdown: SLOWDOWN, showMs, findMs }
  return { buildings: BUILDINGS, first, unchanged, changed, ...times, ...frames }
}

async function timeOf(deed: () => Promise<void>): Promise<number> {
  const startMs = performance.now()
  await deed()
  return performance.now() - startMs
}

function print(figures: Awaited<ReturnType<typeof measure>>): void {
  if (values.json) console.log(JSON.stringify(figures, null, 2))
  else console.log(inWords(figures))
}

function inWords(figures: Awaited<ReturnType<typeof measure>>): string {
  const { first, unchanged, changed, serviceMs, showMs, findMs } = figures
  const { scrolled, scrolledAgain, noScriptScrolled, plainScrolled } = figures
  const traffic = ({ requests, bytes }: typeof first) =>
    `${bytes} bytes in ${requests} request${requests === 1 ? '' : 's'}`
  const frames = ({ frames: all, late, middleMs, busiestMs }: Frames) =>
    `${late} of ${all} frames late; a frame took ${middleMs.toFixed(1)} ms of processor time, the busiest ${busiestMs.toFixed(1)} ms`
  return `${BUILDINGS} buildings of one account, on a phone of 390 × 844 pixels
  first load           ${traffic(first)}, without the website itself
  refresh, unchanged   ${traffic(unchanged)}
  refresh, changed     ${traffic(changed)}
  answer of the list   ${serviceMs.toFixed(0)} ms
On a processor slowed down ${SLOWDOWN} times:
  show the list        ${showMs.toFixed(0)} ms from the tap on Home to the frame that shows it
  find one by name     ${findMs.toFixed(0)} ms from the last key to the frame that shows it
  scroll down and up   ${frames(scrolled)}, from the moment the search is cleared
  and again            ${frames(scrolledAgain)}
  without script       ${frames(noScriptScrolled)}, the same page
  a plain list         ${frames(plainScrolled)}, lines of text of the same height
                       ${SPEED_PX_S} pixels a second${values.multiply ? `; processor time multiplied by ${SLOWDOWN}` : ''}`
}
