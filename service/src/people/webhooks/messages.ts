import {
  type Action,
  type AlertFacts,
  timestampOf,
  WEBHOOK_TEST,
  WEBHOOK_TYPES,
  type WebhookEvent,
  type WebhookType,
} from '@hypocaust/domain'
import { LOGGED_FIELDS, logEntryOf } from '../../house/change-log/log-entry.ts'
import type { ChangeRow } from '../../house/change-log/read.ts'

/** What is to be sent to a webhook. */
export interface Message {
  /** The header `webhook-id`: the same in every attempt. */
  id: string
  buildingId: string | null
  type: WebhookType | typeof WEBHOOK_TEST
  payload: string
  queuedAt: number
}

export const eventOf = (type: WebhookType): WebhookEvent => WEBHOOK_TYPES[type]

/** What a member must be allowed to do in the building in order to be sent this. */
export function actionOf(type: WebhookType): Action {
  const event = eventOf(type)
  return event === 'alert' || event === 'gateway' ? 'alerts' : 'change_log'
}

const TYPES_OF_FIELDS: Record<string, WebhookType> = { away: 'away.changed', override: 'override.changed' }

/** Undefined for a change of a setting that /v1 does not show. Numbers of entries may begin anew, so their time is part of the id. */
export function messageOfChange(buildingId: string, row: ChangeRow): (Message & { type: WebhookType }) | undefined {
  if (!LOGGED_FIELDS.includes(row.field)) return undefined
  const type = TYPES_OF_FIELDS[row.field] ?? 'setting.changed'
  return {
    id: `${buildingId}_${row.sequence}_${row.changedAt}`,
    buildingId,
    type,
    payload: payloadOf(type, row.changedAt, logEntryOf(buildingId, row)),
    queuedAt: row.changedAt,
  }
}

export type AlertTurn = 'began' | 'ended'

/** A building of which no gateway reports has an event of its own. */
export function typeOfAlert({ kind }: Pick<AlertFacts, 'kind'>, turn: AlertTurn): WebhookType {
  if (kind === 'building_silent') return turn === 'began' ? 'gateway.lost' : 'gateway.restored'
  return `alert.${turn}`
}

interface AlertLife {
  id: string
  beganAt: number
}

export function messageOfAlert(
  { id, beganAt }: AlertLife,
  alert: AlertFacts,
  turn: AlertTurn,
  nowMs: number,
): Message & { type: WebhookType } {
  const type = typeOfAlert(alert, turn)
  const { kind, building_id, building, room_id, room, rooms, value } = alert
  const data = {
    id,
    kind,
    building_id,
    building,
    room_id,
    room,
    room_names: rooms ?? null,
    value,
    began_at: timestampOf(beganAt),
    ended_at: turn === 'ended' ? timestampOf(nowMs) : null,
  }
  return {
    id: `${id}_${turn}`,
    buildingId: building_id,
    type,
    payload: payloadOf(type, nowMs, data),
    queuedAt: nowMs,
  }
}

export const testMessage = (id: string, webhookId: string, nowMs: number): Message => ({
  id,
  buildingId: null,
  type: WEBHOOK_TEST,
  payload: payloadOf(WEBHOOK_TEST, nowMs, { webhook_id: webhookId }),
  queuedAt: nowMs,
})

const payloadOf = (type: string, atMs: number, data: object): string =>
  JSON.stringify({ type, timestamp: timestampOf(atMs), data })
