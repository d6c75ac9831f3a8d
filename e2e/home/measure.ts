import type { CDPSession, Page } from 'playwright-core'

/** How long a screen of 60 Hz shows a frame: one that needs more processor time than this is late. */
const FRAME_MS = 1000 / 60

/** Frames by the processor time they needed: on a busy machine the clock on the wall also measures its other work. */
export interface Frames {
  frames: number
  late: number
  middleMs: number
  busiestMs: number
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Microseconds: when it began, and the processor time it took. */
  ts: number
  tdur?: number
  args?: { name?: string }
}

/** What the requests that match have cost on the wire, headers included, while something is done. */
export async function bytesOf(cdp: CDPSession, isMeant: (url: string) => boolean, deed: () => Promise<void>) {
  const urls = new Map<string, string>()
  let requests = 0
  let bytes = 0
  const onRequest = ({ requestId, request }: { requestId: string; request: { url: string } }) => {
    if (isMeant(request.url)) urls.set(requestId, request.url)
  }
  const onFinished = ({ requestId, encodedDataLength }: { requestId: string; encodedDataLength: number }) => {
    if (!urls.has(requestId)) return
    requests++
    bytes += encodedDataLength
  }
  cdp.on('Network.requestWillBeSent', onRequest)
  cdp.on('Network.loadingFinished', onFinished)
  await deed()
  cdp.off('Network.requestWillBeSent', onRequest)
  cdp.off('Network.loadingFinished', onFinished)
  return { requests, bytes }
}

/** From the tap on Home, on another page, to the frame that shows the list. */
export async function showList(page: Page): Promise<number> {
  await page.getByRole('link', { name: 'Alerts' }).tap()
  await page.getByRole('heading', { name: 'Alerts', exact: true }).waitFor()
  return page.evaluate(`(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    const startMs = performance.now()
    document.querySelector('nav a').click()
    while (!document.querySelector('main [role=listitem]')) await frame()
    await frame()
    return performance.now() - startMs
  })()`)
}

/** Every line of the list is in the page, so none is made while it scrolls. */
export async function untilComplete(page: Page, lines: number): Promise<void> {
  // The page's own policy forbids a condition that it would have to evaluate by itself.
  const count = () => page.evaluate(`document.querySelectorAll('main [role=listitem]').length`)
  while ((await count()) !== lines) await page.waitForTimeout(20)
}

/** The same page without any script: what its lines alone cost the browser. */
export async function withoutScript(page: Page): Promise<Page> {
  const html = (await page.evaluate('document.documentElement.outerHTML')) as string
  const copy = await page.context().newPage()
  await copy.route(page.url(), (route) =>
    route.fulfill({ contentType: 'text/html', body: html.replaceAll(/<script[\s\S]*?<\/script>/g, '') }),
  )
  await copy.goto(page.url())
  return copy
}

/** The least a page of this height can cost: lines of text without any script, in a page of their own. */
export async function plainList(page: Page, lines: number): Promise<Page> {
  const heightPx = (await page.evaluate('document.documentElement.scrollHeight')) as number
  const plain = await page.context().newPage()
  const line = (i: number) => `<li style="height:${heightPx / lines}px">Line ${i + 1}</li>`
  const list = Array.from({ length: lines }, (_, i) => line(i)).join('')
  await plain.setContent(
    `<meta name="viewport" content="width=device-width"><body style="margin:0"><ul style="margin:0">${list}</ul>`,
  )
  return plain
}

/** From the last key to the frame that shows the building alone, in the page's own time. */
export function findByName(page: Page, name: string): Promise<number> {
  return page.evaluate(`(async () => {
    const field = document.querySelector('input[type=search]')
    const lines = () => [...document.querySelectorAll('main [role=listitem] b')].map((name) => name.textContent)
    const frame = () => new Promise(requestAnimationFrame)
    const startMs = performance.now()
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(name)})
    field.dispatchEvent(new Event('input', { bubbles: true }))
    while (lines().join() !== ${JSON.stringify(name)}) await frame()
    await frame()
    return performance.now() - startMs
  })()`)
}

/** As on a slower processor: the browser is slowed down, or what it needs is multiplied. */
export interface Slowness {
  throttle: number
  factor: number
}

/** Down the whole page and up again, the same way in every frame: a busy machine then does it slower, not in larger steps. */
export async function scroll(page: Page, { throttle, factor }: Slowness, pxAFrame: number): Promise<Frames> {
  await page.bringToFront()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: throttle })
  const events = await traced(cdp, async () => {
    await page.evaluate(`(async () => {
      const height = document.documentElement.scrollHeight - innerHeight
      const to = async (y) => {
        await new Promise(requestAnimationFrame)
        scrollTo(0, y)
      }
      for (let y = 0; y < height; y += ${pxAFrame}) await to(y)
      for (let y = height; y > 0; y -= ${pxAFrame}) await to(y)
    })()`)
  })
  await cdp.detach()
  return framesIn(events, factor)
}

async function traced(cdp: CDPSession, deed: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = []
  cdp.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const complete = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve))
  const includedCategories = ['devtools.timeline', 'disabled-by-default-devtools.timeline', '__metadata']
  await cdp.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } })
  await deed()
  await cdp.send('Tracing.end')
  await complete
  return events
}

/** A frame is what the page's thread does between two animation frames. */
function framesIn(events: TraceEvent[], factor: number): Frames {
  const first = events.find(({ name }) => name === 'FireAnimationFrame')
  const ofPage = events
    .filter(({ pid, tid }) => pid === first?.pid && tid === first.tid)
    .toSorted((a, b) => a.ts - b.ts)
  const starts = ofPage.filter(({ name }) => name === 'FireAnimationFrame').map(({ ts }) => ts)
  const costs = starts.slice(1).map(() => 0)
  let frame = 0
  for (const { name, ts, tdur = 0 } of ofPage) {
    if (name !== 'RunTask') continue
    while (frame < costs.length && ts >= (starts[frame + 1] ?? 0)) frame++
    if (frame < costs.length) costs[frame] = (costs[frame] ?? 0) + (tdur * factor) / 1000
  }
  const sorted = costs.toSorted((a, b) => a - b)
  return {
    frames: costs.length,
    late: costs.filter((ms) => ms > FRAME_MS).length,
    middleMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
    busiestMs: sorted.at(-1) ?? 0,
  }
}
