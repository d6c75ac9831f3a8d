import { setTimeout } from 'node:timers/promises'
import type { RunExclusively } from '../../processes/exclusive.ts'
import { repeat } from '../../processes/repeat.ts'
import { Deliveries, type DeliveryParts } from './deliver.ts'
import { gatherChanges } from './gather.ts'

const LOOK_EVERY_MS = 1000

/** One process delivers; another takes over when it ends. */
export function startWebhooks(parts: DeliveryParts & { alone: RunExclusively }): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const turns = repeat(
    LOOK_EVERY_MS,
    () => parts.alone('webhooks', (lost) => deliver(parts, AbortSignal.any([lost, stopping.signal]))),
    parts.logger,
  )
  return {
    async stop() {
      stopping.abort()
      await turns.stop()
    },
  }
}

/** Until the signal, or until the database fails. */
async function deliver(parts: DeliveryParts, until: AbortSignal): Promise<void> {
  const { store, clock } = parts
  const failed = new AbortController()
  const ending = AbortSignal.any([until, failed.signal])
  const deliveries = new Deliveries(parts)
  try {
    while (!ending.aborted) {
      const hasMore = await gatherChanges(store, clock.now())
      await deliveries.startDue(ending)
      if (!hasMore) await setTimeout(LOOK_EVERY_MS, undefined, { signal: ending }).catch(() => undefined)
    }
  } finally {
    failed.abort()
    await deliveries.settled()
  }
}
