import type { Language } from '@hypocaust/domain'
import type { Generated } from 'kysely'
import type { Bit, FixedAtInsert } from './columns.ts'

export interface AlertTable {
  id: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  roomId: FixedAtInsert<string | null>
  /** Kind and place. */
  subject: FixedAtInsert<string>
  /** The same until it has ended: then there is one of each. */
  openSubject: string | null
  /** As JSON, with its figures when it was last seen. */
  alert: string
  beganAt: FixedAtInsert<number>
  /** Since when it has not been seen; it ends when that lasts. */
  absentSince: number | null
  endedAt: number | null
  /** Until then it is not counted among what needs attention. */
  snoozedUntil: number | null
}

export interface NotificationChoiceTable {
  accountId: FixedAtInsert<string>
  mail: Bit
  language: Language
  /** Kinds of alerts that are not sent, as JSON. */
  muted: string
  /** Whether a mail about the heat of the month before is sent. */
  monthly: Generated<Bit>
}

export interface PushDeviceTable {
  id: FixedAtInsert<string>
  accountId: string
  sessionId: string
  endpoint: FixedAtInsert<string>
  p256dh: string
  auth: string
  language: Language
  userAgent: string
  createdAt: FixedAtInsert<number>
}

/** One way to one reader of one alert: by mail, or to a device. */
export interface TellingTable {
  id: FixedAtInsert<string>
  /** The reader. */
  accountId: FixedAtInsert<string>
  alertId: FixedAtInsert<string>
  deviceId: FixedAtInsert<string | null>
  /** When to look at it next; null when there is nothing left to say. */
  dueAt: number | null
  attempts: number
  beganToldAt: number | null
  endedToldAt: number | null
}

/** One mail to one person about a month of a building. */
export interface MonthlyMailTable {
  accountId: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  month: FixedAtInsert<string>
  /** When to try next; null once it has been sent, or is not wanted. */
  dueAt: number | null
  attempts: number
}

export interface WebhookTable {
  id: FixedAtInsert<string>
  accountId: FixedAtInsert<string>
  url: FixedAtInsert<string>
  /** What it is about, as JSON. */
  events: FixedAtInsert<string>
  createdAt: FixedAtInsert<number>
  /** Since then nothing is sent: the receiver is gone. */
  disabledAt: number | null
  /** The last number that a delivery was given, and the last up to which all are settled. */
  numbered: Generated<number>
  settled: Generated<number>
  /** When to try next; null while nothing waits. */
  dueAt: number | null
  /** That failed since the last that did not. */
  attempts: Generated<number>
}

/** The last entry of a building's change log that was queued for a webhook. */
export interface WebhookPositionTable {
  webhookId: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  accountId: FixedAtInsert<string>
  sequence: number
}

export interface WebhookDeliveryTable {
  webhookId: FixedAtInsert<string>
  /** Rises within a webhook; it is delivered in this order. */
  n: FixedAtInsert<number>
  messageId: FixedAtInsert<string>
  buildingId: FixedAtInsert<string | null>
  type: FixedAtInsert<string>
  /** What is sent; null once it is settled. */
  payload: string | null
  queuedAt: FixedAtInsert<number>
  attempts: Generated<number>
  triedAt: number | null
  /** The status of the last answer, or why there was none. */
  result: string | null
  /** Null while it waits. */
  outcome: 'delivered' | 'failed' | 'withdrawn' | null
}
