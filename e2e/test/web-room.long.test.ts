import { test } from 'vitest'
import { walkThroughRoom } from './room-walk.ts'
import { describeInBrowser, siteWithHouse } from './site.ts'

describeInBrowser('a room in the browser', () => {
  const site = siteWithHouse()

  test('on a desktop: chart, off with undo, manual with the keyboard, settings', () => walkThroughRoom(site, 'desktop'))
})
