import { launchBrowser } from '../test/stage.ts'
import { asJson, type Driven } from './driver.ts'

export async function launchChromium(): Promise<Driven> {
  const browser = await launchBrowser()
  const context = await browser.newContext()
  return {
    version: browser.version(),
    newTab: async () => {
      const page = await context.newPage()
      return {
        goto: async (url) => {
          await page.goto(url)
        },
        run: async (expression) => JSON.parse((await page.evaluate(asJson(expression))) as string),
        press: (key) => page.keyboard.press(key),
      }
    },
    close: () => browser.close(),
  }
}
