import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { freePort } from '@hypocaust/testing/ports.ts'
import { asJson, type Driven, KEYS, type Tab } from './driver.ts'

/** WebKitGTK's own small browser, which its driver steers. */
const MINI_BROWSERS = ['aarch64', 'x86_64'].flatMap((machine) =>
  ['4.1', '6.0', '4.0'].map((api) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-${api}/MiniBrowser`),
)
const SCRIPT_PATIENCE_MS = 120_000

/** By the classic WebDriver protocol, on a screen that is not there. */
export async function launchWebKit(driver: string): Promise<Driven> {
  const binary = MINI_BROWSERS.find((path) => existsSync(path))
  if (!binary) throw new Error('WebKitGTK has no MiniBrowser here')
  const port = await freePort()
  const child = spawn('xvfb-run', ['-a', driver, `--port=${port}`], { stdio: 'ignore', detached: true })
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } }
    if (!answer.ok) throw new Error(`${path}: ${value.error}: ${value.message}`)
    return value
  }
  await untilListening(`http://127.0.0.1:${port}/status`)
  const { sessionId, capabilities } = await ask<Session>('POST', '/session', {
    capabilities: {
      alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: ['--automation'] }, browserName: 'MiniBrowser' },
    },
  })
  const session = `/session/${sessionId}`
  await ask('POST', `${session}/timeouts`, { script: SCRIPT_PATIENCE_MS })
  let isFirst = true
  // Commands go to one window at a time.
  let line: Promise<unknown> = Promise.resolve()
  const inWindow = <T>(handle: string, work: () => Promise<T>): Promise<T> => {
    const done = line.then(async () => {
      await ask('POST', `${session}/window`, { handle })
      return work()
    })
    line = done.catch(() => undefined)
    return done
  }
  return {
    version: capabilities.browserVersion,
    newTab: async () => {
      const handle = isFirst
        ? await ask<string>('GET', `${session}/window`)
        : (await ask<{ handle: string }>('POST', `${session}/window/new`, { type: 'tab' })).handle
      isFirst = false
      return tabOf(ask, session, (work) => inWindow(handle, work))
    },
    close: async () => {
      await ask('DELETE', session)
      if (child.pid) process.kill(-child.pid)
    },
  }
}

interface Session {
  sessionId: string
  capabilities: { browserVersion: string }
}

type Ask = <T>(method: string, path: string, body?: object) => Promise<T>

function tabOf(ask: Ask, session: string, here: <T>(work: () => Promise<T>) => Promise<T>): Tab {
  return {
    goto: (url) =>
      here(async () => {
        await ask('POST', `${session}/url`, { url })
      }),
    run: <T>(expression: string) =>
      here(async () => {
        const script = `const done = arguments[0];
          ${asJson(expression)}.then((json) => done({ json }), (error) => done({ error: String(error) }))`
        const { json, error } = await ask<{ json: string; error?: string }>('POST', `${session}/execute/async`, {
          script,
          args: [],
        })
        if (error) throw new Error(error)
        return JSON.parse(json) as T
      }),
    press: (key) =>
      here(async () => {
        const value = KEYS[key]
        const actions = [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ]
        await ask('POST', `${session}/actions`, { actions: [{ type: 'key', id: 'keyboard', actions }] })
      }),
  }
}

async function untilListening(url: string): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('WebKitWebDriver does not answer')
}
