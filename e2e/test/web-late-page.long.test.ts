import { expect, test } from 'vitest'
import { describeInBrowser, siteWithHouse } from './site.ts'

/**
 * A machine so busy that from the first placeholder on nothing runs that React has put off, until it is let go. React
 * puts off what it has no time for by a message to itself, and looks at the clock to know what time it has.
 */
const BUSY = `
  const { insertBefore, appendChild } = Node.prototype
  const { postMessage } = MessagePort.prototype
  const now = performance.now.bind(performance)
  const held = []
  let passedMs = 0
  performance.now = () => now() + (passedMs += 20)
  const watched = (inner) => function (node, ...rest) {
    if (location.pathname !== '/' && (node.matches?.('.skeleton') || node.querySelector?.('.skeleton'))) window.isHeld = true
    return inner.call(this, node, ...rest)
  }
  Node.prototype.insertBefore = watched(insertBefore)
  Node.prototype.appendChild = watched(appendChild)
  MessagePort.prototype.postMessage = function (...given) {
    if (window.isHeld) held.push(() => postMessage.apply(this, given))
    else postMessage.apply(this, given)
  }
  window.letGo = () => {
    window.isHeld = false
    for (const go of held.splice(0)) go()
  }`

describeInBrowser('a page that takes longer than the last one stays', () => {
  const site = siteWithHouse()

  test('is shown once it is there, also when it came before React had looked for it', async () => {
    const page = await site.openSignedIn('phone', {}, undefined, BUSY)
    const arrive = Promise.withResolvers<void>()
    const parts: string[] = []
    await page.route('**/assets/room-*.js', async (route) => {
      parts.push(route.request().url())
      await arrive.promise
      await route.continue()
    })
    await page.getByRole('article', { name: 'Bathroom' }).getByRole('link', { name: 'Bathroom' }).click()
    await expect.poll(() => page.evaluate('window.isHeld')).toBe(true)
    arrive.resolve()
    await page.evaluate(`Promise.all(${JSON.stringify(parts)}.map((part) => import(part)))`)
    await page.evaluate('letGo()')
    await page.getByRole('radio', { name: 'Manual' }).waitFor()
    expect(parts).not.toEqual([])
  })
})
