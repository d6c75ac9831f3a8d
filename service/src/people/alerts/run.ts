import { HOUR_MS } from '@hypocaust/domain'
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import { repeat } from '../../processes/repeat.ts'
import type { Store } from '../../store/store.ts'
import type { Mailer } from '../notify/mail/mailer.ts'
import { type PushParts, PushSender } from '../notify/push/sender.ts'
import { AlertNotifier } from './alert-notifier.ts'
import { forgetOld } from './life.ts'
import { checkDueBuildings } from './watch.ts'

export interface AlertParts {
  store: Store
  clock: Clock
  logger: Logger
  silentAfterS: number
  mailer: Mailer | undefined
  push: Omit<PushParts, 'store'>
}

const LOOK_EVERY_MS = 5_000
const TELL_EVERY_MS = 5_000
const FORGET_EVERY_MS = HOUR_MS

/** Watches for what needs a person, and tells it; each at its own pace, so that a slow mail server delays no watching. */
export function startAlerts(parts: AlertParts): { stop(): Promise<void> } {
  const { store, clock, logger, mailer } = parts
  const notifier = new AlertNotifier({ ...parts, push: new PushSender({ store, ...parts.push }) })
  let isStopped = false
  const untilDone = (work: () => Promise<boolean>) => async () => {
    while (!isStopped && (await work()));
  }
  const jobs = [
    repeat(
      LOOK_EVERY_MS,
      untilDone(() => checkDueBuildings(parts)),
      logger,
    ),
    repeat(
      TELL_EVERY_MS,
      untilDone(() => notifier.notifySome()),
      logger,
    ),
    repeat(FORGET_EVERY_MS, () => forgetOld(store, clock.now()), logger),
  ]
  return {
    async stop() {
      isStopped = true
      await Promise.all(jobs.map((job) => job.stop()))
      await mailer?.stop()
    },
  }
}
