import { DAY_MS, HOUR_MS, timestampOf } from '@hypocaust/domain'
import { SECRET_IN_TEXT } from '../base/secret.ts'
import { WHOLE_VERSION } from '../base/version.ts'
import type { Store } from '../store/store.ts'
import { listGateways } from './gateways/gateways.ts'
import { explainRoom } from './heating/explanation.ts'

interface Reported {
  /** Left out, all buildings: only the operator asks for that. */
  buildingId?: string
  /** With its last day. */
  room?: { id: string; name: string }
  log: string[]
  /** What only one kind of report has. */
  more: Record<string, unknown>
}

/** What helps to find the cause of a problem, to be passed on to a stranger. */
export async function problemReport(store: Store, nowMs: number, reported: Reported): Promise<Record<string, unknown>> {
  const { buildingId, room, log, more } = reported
  const gateways = await listGateways(store, buildingId === undefined ? {} : { buildingId })
  return withoutIdentities({
    version: WHOLE_VERSION,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    written_at: timestampOf(nowMs),
    ...more,
    gateways: gateways.map(({ id: _, ...rest }) => rest),
    ...(room && { room: { name: room.name, decisions: await lastDayOf(store, room.id, nowMs) } }),
    log,
  })
}

/** What the control decided at each hour of the last day, and why. */
async function lastDayOf(store: Store, roomId: string, nowMs: number): Promise<object[]> {
  const decisions: object[] = []
  for (let atMs = nowMs - DAY_MS; atMs <= nowMs; atMs += HOUR_MS) {
    const explained = await explainRoom(store, roomId, atMs)
    if (explained) decisions.push({ decided_at: timestampOf(explained.decidedAt), ...explained })
  }
  return decisions
}

const HIDDEN: [RegExp, string][] = [
  [SECRET_IN_TEXT, '$1[hidden]'],
  [/[^\s"'<>@,;:()[\]\\]+@[^\s"'<>@,;:()[\]\\]+/g, '[mail address]'],
  [/\b(?:[0-9a-f]{2}[:-]){5,7}[0-9a-f]{2}\b/gi, '[device address]'],
]

const hidden = (text: string): string =>
  HIDDEN.reduce((shown, [pattern, instead]) => shown.replace(pattern, instead), text)

const JSON_STRING = /"(?:[^"\\]|\\.)*"/g

/** Whatever a name or a value of the report contains: no key, no mail address and no address of a device. */
function withoutIdentities<Report extends object>(report: Report): Report {
  const text = JSON.stringify(report).replace(JSON_STRING, (quoted) => JSON.stringify(hidden(JSON.parse(quoted))))
  return JSON.parse(text)
}
