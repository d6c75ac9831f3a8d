import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../base/log.ts'
import { readCredentials } from '../config/credentials.ts'
import { loadGatewayConfig } from '../config/load.ts'
import type { GatewaySettings } from '../config/settings.ts'

const LOOK_EVERY_MS = 500
/** Where a gateway without a local page is paired. */
export const BY_COMMAND = 'by hypocaust gateway pair'

interface Unpaired {
  /** The file of the settings, read again once the gateway is paired. */
  config: string
  settings: GatewaySettings
  /** Where a person pairs it. */
  where: string
  log: Log
  signal: AbortSignal
  onWaiting(): void
}

/**
 * The settings with the identity of the gateway. Without one the agent waits until pairing, on the local page or by the
 * command, has written it. Null where it is stopped before that.
 */
export async function pairedSettings({ config, settings, where, log, signal, onWaiting }: Unpaired) {
  if (settings.service) return settings
  log(`this gateway is not paired yet: pair it ${where} with the code the service shows`)
  onWaiting()
  while (!signal.aborted && readCredentials(settings.dataFolder) === null)
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
  return signal.aborted ? null : loadGatewayConfig(config)
}
