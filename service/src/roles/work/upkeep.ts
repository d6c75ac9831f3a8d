import { HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import { systemClock } from '../../base/clock.ts'
import { forgetChanges } from '../../house/change-log/forget.ts'
import { correctFutureTimestamps } from '../../house/future-timestamps.ts'
import { learnSources } from '../../house/heat/learn-source.ts'
import { thinMeterReadings } from '../../house/heat/meters.ts'
import type { Retention } from '../../house/readings/retention.ts'
import { rollUpAll } from '../../house/readings/roll-up.ts'
import { forgetExpiredVerifications } from '../../people/accounts/verifications.ts'
import { forgetEndedKeys } from '../../people/keys/keys.ts'
import { removeEndedRoles } from '../../people/members/ended.ts'
import { forgetOauth } from '../../people/oauth/forget.ts'
import { forgetDeliveries } from '../../people/webhooks/webhooks.ts'
import { SetBackWatch, StepWatch } from '../../processes/step-watch.ts'
import type { IngestChoice, IngestParts, Recurring } from './parts.ts'

const WATCH_CLOCK_EVERY_MS = 10_000
const RIGHT_STAMPS_EVERY_MS = 10 * MINUTE_MS
const ROLL_UP_EVERY_MS = 60_000
const FORGET_KEYS_EVERY_MS = HOUR_MS
const REMOVE_ENDED_ROLES_EVERY_MS = MINUTE_MS
const FORGET_WINDOWS_EVERY_MS = 60_000
const FORGET_VERIFICATIONS_EVERY_MS = 60_000

/** Puts right what was written by a clock that was ahead, and returns the looks at the clock that recur. */
export async function beginClockWatch({ store, clock, logger }: IngestParts): Promise<Recurring[]> {
  const rightStamps = async () => {
    const righted = await correctFutureTimestamps(store, clock.now())
    if (righted > 0) logger.warn({ rows: righted }, 'the clock was set back: times in the future were put right')
  }
  const clockWatch = new SetBackWatch(clock)
  await rightStamps()
  return [
    [
      WATCH_CLOCK_EVERY_MS,
      async () => {
        if (clockWatch.wasSetBack()) await rightStamps()
      },
    ],
    // What was written by the old time just after the look. It reads every row, so not often.
    [RIGHT_STAMPS_EVERY_MS, rightStamps],
  ]
}

/** What is summed up, forgotten and ended when its time has come; not by a clock that has just jumped. */
export function upkeepWork(parts: IngestParts): Recurring[] {
  const { settings, store, clock, alone } = parts
  const steps = new StepWatch(clock)
  const rollUp = async (stopping: AbortSignal) => {
    if (steps.isSettled()) await alone('roll-up', () => rollUpAll(store, clock.now(), retentionOf(settings), stopping))
  }
  const forget = async (stopping: AbortSignal) => {
    if (steps.isSettled()) await forgetOld(parts, stopping)
  }
  const endRoles = async () => {
    if (steps.isSettled()) await alone('ended-roles', () => removeEndedRoles(store, clock))
  }
  return [
    [ROLL_UP_EVERY_MS, rollUp],
    [FORGET_KEYS_EVERY_MS, forget],
    [REMOVE_ENDED_ROLES_EVERY_MS, endRoles],
    ...rateWindowsWork(parts),
    // By the real clock, whatever the service goes by: the sign-in library does.
    [
      FORGET_VERIFICATIONS_EVERY_MS,
      () => alone('verifications', () => forgetExpiredVerifications(store, systemClock.now())),
    ],
  ]
}

async function forgetOld({ settings, store, clock, alone }: IngestParts, stopping: AbortSignal): Promise<void> {
  await alone('keys', () => forgetEndedKeys(store, clock.now(), settings.ended_key_days))
  await alone('oauth', () => forgetOauth(store, clock.now()))
  await alone('change-log', () => forgetChanges(store, clock.now(), settings.change_log_days))
  await alone('webhook-deliveries', () => forgetDeliveries(store, clock.now()))
  await alone('meters', () => thinMeterReadings(store, clock.now()))
  await alone('source', () => learnSources(store, clock, stopping))
}

function rateWindowsWork({ store, clock, alone }: IngestParts): Recurring[] {
  const { rateWindows } = store
  if (!rateWindows) return []
  return [[FORGET_WINDOWS_EVERY_MS, () => alone('rate-windows', () => rateWindows.forget(clock.now()))]]
}

const retentionOf = (settings: IngestChoice): Retention => ({
  rawDays: settings.history_raw_days,
  fiveMinuteDays: settings.history_five_minute_days,
  hourlyDays: settings.history_hourly_days,
  decisionDays: settings.history_decision_days,
})
