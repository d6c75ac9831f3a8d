import type { Ack, GatewayConfig, PowerCommand } from '@hypocaust/domain'
import type { Duty } from '../laws/windows.ts'

/** A command in force, on the monotonic clock. */
export interface InForce {
  epoch: number
  seq: number
  issuedMs: number
  arrivedMs: number
  untilMs: number
  /** The source cools. */
  cools: boolean
  valves: Map<number, CommandedValve>
}

interface CommandedValve {
  power: number
  windowMs: number
  headroomK: number | null
  /** What the grid leaves the room, also once the command is no longer in force. */
  limits?: GridLimit[]
}

/** `hasBegun`: before the command was given. */
type GridLimit = { fromMs: number; untilMs: number; power: number; hasBegun: boolean }

export type Verdict = { ack: Ack; inForce: InForce | null }

export interface Circumstances {
  /** The last command. It counts while it is in force: a wrong number must not lock the gateway for ever. */
  last: InForce | null
  channels: ReadonlySet<number>
  monoMs: number
  fallbackAfterMs: number
}

export function judge(command: PowerCommand, at: Circumstances): Verdict {
  const { epoch, seq } = command
  const refuse = (result: Ack['result'], why: string): Verdict => ({ ack: { epoch, seq, result, why }, inForce: null })

  const last = at.last && at.monoMs < at.last.untilMs ? at.last : null
  if (last && isOlder(command, last)) return refuse('stale', `already at ${last.epoch}/${last.seq}`)
  const issuedMs = Date.parse(command.issued)
  if (Number.isNaN(issuedMs)) return refuse('rejected', 'issued is no time')
  const ageMs = last ? ageOf(issuedMs, last, at.monoMs) : 0
  const leftMs = command.valid_s * 1000 - ageMs
  if (leftMs <= 0) return refuse('expired', `issued ${Math.round(ageMs / 1000)} s ago`)

  const sentMs = at.monoMs - ageMs
  const valves = new Map(
    command.valves.map(({ channel, power, window_s, headroom_k, limits = [] }) => [
      channel,
      {
        power,
        windowMs: Math.round(window_s * 1000),
        headroomK: headroom_k ?? null,
        limits: limits.map(({ from_s, until_s, power }) => ({
          fromMs: sentMs + 1000 * from_s,
          untilMs: sentMs + 1000 * until_s,
          power,
          hasBegun: from_s <= 0,
        })),
      },
    ]),
  )
  if (valves.size < command.valves.length) return refuse('rejected', 'a channel is named twice')
  const strange = [...valves.keys()].filter((channel) => !at.channels.has(channel))
  for (const channel of strange) valves.delete(channel)
  const why = strange.length > 0 ? `no such channel here: ${strange.join(', ')}` : undefined
  if (why && valves.size === 0) return refuse('rejected', why)

  const untilMs = at.monoMs + Math.min(leftMs, at.fallbackAfterMs)
  const cools = command.cools === true
  const inForce = { epoch, seq, issuedMs, arrivedMs: at.monoMs, untilMs, cools, valves }
  return { ack: { epoch, seq, result: 'accepted', ...(why && { why }) }, inForce }
}

/** What a channel should do now: the command while it is in force, else the fallback, else nothing; within what the grid
 * leaves it, as last heard. A command that was given during a limit counts it already, and the more of a pulse, by hand or
 * against frost, is meant. */
export function dutyFor(
  channel: number,
  inForce: InForce | null,
  config: GatewayConfig | null,
  lastWindowMs: number,
  monoMs: number,
): Duty {
  const known = inForce?.valves.get(channel)
  const limits = known?.limits ?? []
  if (inForce && known && monoMs < inForce.untilMs) {
    const { power, windowMs } = known
    const ahead = limits.filter(({ hasBegun }) => !hasBegun)
    return { power: Math.min(power, mostPowerOf(ahead, monoMs)), windowMs, source: 'command', seq: inForce.seq }
  }
  const power = Math.min(config?.fallback.power[channel] ?? 0, mostPowerOf(limits, monoMs))
  return { power, windowMs: lastWindowMs, source: 'fallback', seq: null }
}

const mostPowerOf = (limits: readonly GridLimit[], monoMs: number): number =>
  limits.reduce(
    (most, { fromMs, untilMs, power }) => (monoMs >= fromMs && monoMs < untilMs ? Math.min(most, power) : most),
    1,
  )

/**
 * Its age at arrival by the service's own clock, as far as the command before tells: the gateway's clock may be wrong
 * by a day, and the first command is as fresh as its arrival. It was issued after the command before, also where the
 * service's clock has been set back since.
 */
function ageOf(issuedMs: number, last: InForce, monoMs: number): number {
  const sinceLastMs = monoMs - last.arrivedMs
  return Math.min(sinceLastMs, Math.max(0, last.issuedMs + sinceLastMs - issuedMs))
}

type Order = Pick<PowerCommand, 'epoch' | 'seq'>

const isOlder = (a: Order, b: Order) => a.epoch < b.epoch || (a.epoch === b.epoch && a.seq < b.seq)
