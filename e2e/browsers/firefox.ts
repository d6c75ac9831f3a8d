import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asJson, type Driven, KEYS, type Tab } from './driver.ts'

/** Firefox speaks WebDriver BiDi by itself: no driver beside it. */
export async function launchFirefox(program: string): Promise<Driven> {
  const profile = mkdtempSync(join(tmpdir(), 'hypocaust-firefox-'))
  const args = ['--headless', '--remote-debugging-port=0', '--profile', profile, '--no-remote', 'about:blank']
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const address = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk
      const [, url] = /WebDriver BiDi listening on (ws:\S+)/.exec(said) ?? []
      if (url) resolve(url)
    })
    child.on('exit', (code) => reject(new Error(`Firefox ended with ${code}: ${said}`)))
  })
  const wire = await connect(`${address}/session`)
  const { capabilities } = await wire.send<{ capabilities: { browserVersion: string } }>('session.new', {
    capabilities: {},
  })
  return {
    version: capabilities.browserVersion,
    newTab: () => newTab(wire),
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      wire.close()
      child.kill()
      await ended
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

interface Wire {
  send<T>(method: string, params: object): Promise<T>
  close(): void
}

interface Reply {
  id?: number
  type: string
  result?: unknown
  error?: string
  message?: string
}

async function connect(url: string): Promise<Wire> {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply
    const asked = waiting.get(reply.id ?? -1)
    if (reply.type === 'error') asked?.reject(new Error(`${reply.error}: ${reply.message}`))
    else asked?.resolve(reply.result)
  })
  let id = 0
  return {
    send: <T>(method: string, params: object) => {
      const asked = Promise.withResolvers<unknown>()
      waiting.set(++id, asked)
      socket.send(JSON.stringify({ id, method, params }))
      return asked.promise as Promise<T>
    },
    close: () => socket.close(),
  }
}

async function newTab(wire: Wire): Promise<Tab> {
  const { context } = await wire.send<{ context: string }>('browsingContext.create', { type: 'tab' })
  return {
    goto: async (url) => {
      await wire.send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    run: async <T>(expression: string) => {
      const evaluated = await wire.send<Evaluated>('script.evaluate', {
        expression: asJson(expression),
        target: { context },
        awaitPromise: true,
      })
      if (evaluated.type === 'exception') throw new Error(evaluated.exceptionDetails.text)
      return JSON.parse(evaluated.result.value) as T
    },
    press: async (key) => {
      const value = KEYS[key]
      const actions = [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]
      await wire.send('browsingContext.activate', { context })
      await wire.send('input.performActions', { context, actions: [{ type: 'key', id: 'keyboard', actions }] })
    },
  }
}

type Evaluated =
  | { type: 'success'; result: { value: string } }
  | { type: 'exception'; exceptionDetails: { text: string } }
