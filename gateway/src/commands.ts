import type { Ack, GatewayConfig, PowerCommand } from '@hypocaust/domain'
import type { Wish } from './windows.ts'

export interface Order {
  epoch: number
  seq: number
}

/** A command in force, on the monotonic clock. */
export interface InForce {
  seq: number
  untilMs: number
  valves: Map<number, { power: number; windowMs: number }>
}

export type Verdict = { ack: Ack; inForce: InForce | null }

export interface Circumstances {
  last: Order | null
  channels: ReadonlySet<number>
  /** Null while our own clock is not to be believed: then a command is as fresh as its arrival. */
  wallMs: number | null
  monoMs: number
  fallbackAfterMs: number
}

export function judge(command: PowerCommand, at: Circumstances): Verdict {
  const { epoch, seq } = command
  const refuse = (result: Ack['result'], why: string): Verdict => ({ ack: { epoch, seq, result, why }, inForce: null })

  if (at.last && isOlder(command, at.last)) return refuse('stale', `already at ${at.last.epoch}/${at.last.seq}`)
  const issuedMs = Date.parse(command.issued)
  if (Number.isNaN(issuedMs)) return refuse('rejected', 'issued is no time')
  const ageMs = at.wallMs === null ? 0 : Math.max(0, at.wallMs - issuedMs)
  const leftMs = command.valid_s * 1000 - ageMs
  if (leftMs <= 0) return refuse('expired', `issued ${Math.round(ageMs / 1000)} s ago`)

  const valves = new Map(
    command.valves.map((v) => [v.channel, { power: v.power, windowMs: Math.round(v.window_s * 1000) }]),
  )
  if (valves.size < command.valves.length) return refuse('rejected', 'a channel is named twice')
  const strange = [...valves.keys()].filter((channel) => !at.channels.has(channel))
  for (const channel of strange) valves.delete(channel)
  const why = strange.length > 0 ? `no such channel here: ${strange.join(', ')}` : undefined
  if (why && valves.size === 0) return refuse('rejected', why)

  const untilMs = at.monoMs + Math.min(leftMs, at.fallbackAfterMs)
  return { ack: { epoch, seq, result: 'accepted', ...(why && { why }) }, inForce: { seq, untilMs, valves } }
}

/** What a channel should do now: the command while it is in force, else the fallback, else nothing. */
export function wishFor(
  channel: number,
  inForce: InForce | null,
  config: GatewayConfig | null,
  lastWindowMs: number,
  monoMs: number,
): Wish {
  const commanded = inForce && monoMs < inForce.untilMs ? inForce.valves.get(channel) : undefined
  if (inForce && commanded) return { ...commanded, source: 'command', seq: inForce.seq }
  return { power: config?.fallback.power[channel] ?? 0, windowMs: lastWindowMs, source: 'fallback', seq: null }
}

const isOlder = (a: Order, b: Order) => a.epoch < b.epoch || (a.epoch === b.epoch && a.seq < b.seq)
