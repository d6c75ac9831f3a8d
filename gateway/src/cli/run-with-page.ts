import { runGateway } from '../agent/run.ts'
import type { Log } from '../base/log.ts'
import type { GatewaySettings, PageSettings } from '../config/settings.ts'
import { LocalPage, type PageParts } from '../page/page.ts'
import { pairGateway } from '../pairing/pair.ts'
import { BY_COMMAND, pairedSettings } from './paired-settings.ts'
import { testChannel } from './test-channel.ts'

interface Options {
  /** The file of the settings, read again once the gateway is paired. */
  config: string
  page: PageSettings
  settings: GatewaySettings
  log: Log
  signal: AbortSignal
  /** The agent runs, or waits to be paired. */
  onReady(): void
}

/** The agent with its page. An agent that is not paired yet waits for that on the page. */
export async function runWithPage(options: Options): Promise<void> {
  const { config, page: listen, log: write, signal, onReady } = options
  let { settings } = options
  let page: LocalPage | null = null
  const { dataFolder, sensorNames } = settings
  const log: Log = (line) => {
    write(line)
    page?.keepLine(`${new Date().toISOString()} ${line}`)
  }
  page = openedPage({
    settings: listen,
    dataFolder,
    sensorNames,
    log,
    now: Date.now,
    test: (channel, seconds, log) => testChannel({ settings, channel, seconds, log, signal }),
    pair: ({ service, code, authority }) =>
      pairGateway({ serviceUrl: service, code, dataFolder, ...(authority !== null && { authority }) }),
  })
  await page?.start()
  try {
    const where = page ? 'on the local page' : BY_COMMAND
    const paired = await pairedSettings({ config, settings, where, log, signal, onWaiting: onReady })
    if (!paired) return
    settings = paired
    await runGateway({
      settings,
      log,
      signal,
      onHeard: (reading) => page?.hear(reading),
      onStarted: (agent) => {
        page?.show(() => agent.state)
        onReady()
      },
    })
  } finally {
    await page?.close()
  }
}

/** Null where its token can be neither read nor written: the house is heated all the same. */
function openedPage(parts: PageParts): LocalPage | null {
  try {
    return new LocalPage(parts)
  } catch (error) {
    parts.log(`the local page cannot be opened: ${error instanceof Error ? error.message : error}`)
    return null
  }
}
