import { fallbackAfterS, type PowerCommand, type SourceCommand, timestampOf } from '@hypocaust/domain'
import type { Compilable } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { numberAfter, takeNumber } from '../../store/outrun.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { ordersAt } from '../covers/orders.ts'
import { hotWaterOrderAt } from '../hot-water/order.ts'
import { screedSetC } from '../loop-run/screed-run.ts'
import { circuitsAskedOf } from '../source/circuits.ts'
import { sgReadyOf } from '../source/sg-ready.ts'
import { supplySetpointOf, withinLimits } from '../source/supply.ts'
import { commandedValves, type GatewayValves, type Sent, withCircumstances } from './valves.ts'

/** What is published together, under one number. */
export interface Order {
  command: PowerCommand
  source: SourceCommand | null
}

/** Outrun: another process has numbered a command since the gateway was looked at, perhaps for powers before ours. */
type NextCommand = ({ kind: 'due' } & Order) | { kind: 'nothing' } | { kind: 'outrun' }

/**
 * The command a gateway is due: its valves or what other gateways ask of its heat source have changed since the last
 * one, or a window has passed. Its number is on disk before it is sent, so numbers never go back.
 */
export async function nextCommand(store: Store, clock: Clock, gateway: GatewayValves): Promise<NextCommand> {
  const { sent } = gateway
  const nowMs = clock.now()
  const valves = commandedValves(gateway, nowMs)
  if (sent.command === contentOf(gateway, valves, nowMs) && !isDue(sent, nowMs)) return { kind: 'nothing' }
  if (valves.length === 0 && sent.commandDueAt === null) return { kind: 'nothing' }
  const { numbering, order } = numberedCommand(store, gateway, valves, nowMs)
  if (!(await takeNumber(store, numbering))) return { kind: 'outrun' }
  return order ? { kind: 'due', ...order } : { kind: 'nothing' }
}

/** What a later command is compared with. */
function contentOf(gateway: GatewayValves, valves: PowerCommand['valves'], nowMs: number): string {
  const { demand, sgReady, coolSupplyC, hotWater, covers } = gateway
  if (demand.length === 0 && !sgReady && coolSupplyC === null && !hotWater && !covers) return JSON.stringify(valves)
  return JSON.stringify({
    valves,
    demand,
    ...(sgReady && { sgReady: sgReadyOf(sgReady, nowMs) }),
    ...(coolSupplyC !== null && { coolSupplyC }),
    ...(hotWater && { hotWater: hotWaterOrderAt(hotWater, nowMs) }),
    ...(covers && { covers }),
  })
}

interface NumberedCommand {
  /** Writes the number. Refused if another process has numbered a command since the gateway was looked at. */
  numbering: Compilable
  /** To be sent once its number is on disk; null for a gateway without channels. */
  order: Order | null
}

export function numberedCommand(
  store: Store,
  gateway: GatewayValves,
  valves: PowerCommand['valves'],
  nowMs: number,
): NumberedCommand {
  const { sent, gatewayId, epoch } = gateway
  const command = contentOf(gateway, valves, nowMs)
  const windows = valves.map(({ window_s }) => window_s)
  const seq = sent.commandSeq + 1
  const commandDueAt = valves.length === 0 ? null : nowMs + Math.min(...windows) * 1000
  const numbering = setCommand.with(store, { gatewayId, sentSeq: sent.commandSeq, command, commandDueAt })
  if (valves.length === 0) return { numbering, order: null }
  const valid_s = Math.min(fallbackAfterS(windows), testEndsInS(gateway, nowMs))
  const common = { epoch, seq, issued: timestampOf(nowMs), valid_s }
  const asked = askedOf(gateway, nowMs)
  const source = Object.keys(asked).length > 0 ? { ...common, ...asked } : null
  const cools = gateway.coolSupplyC !== null && { cools: true }
  const powers = { ...common, ...cools, valves: withCircumstances(valves, gateway, nowMs) }
  return { numbering, order: { command: powers, source } }
}

/** What the heat source is to do, as far as this gateway has a part in it. */
function askedOf(
  gateway: GatewayValves,
  nowMs: number,
): Pick<SourceCommand, 'supply_c' | 'circuits' | 'cools' | 'demand' | 'sg_ready' | 'hot_water' | 'covers'> {
  const { demand, sgReady, coolSupplyC, hotWater, covers } = gateway
  const supplyC = coolSupplyC ?? supplyOf(gateway, nowMs)
  const circuits = coolSupplyC === null ? circuitsOf(gateway, nowMs) : []
  return {
    ...(supplyC !== null && { supply_c: supplyC }),
    ...(circuits.length > 0 && { circuits }),
    ...(coolSupplyC !== null && { cools: true }),
    ...(demand.length > 0 && { demand }),
    ...(sgReady && { sg_ready: sgReadyOf(sgReady, nowMs) }),
    ...(hotWater && { hot_water: hotWaterOrderAt(hotWater, nowMs) }),
    ...(covers && { covers: ordersAt(covers, nowMs) }),
  }
}

/** What the heat source is to be asked for: for the heat-up of a screed, else as the rooms have decided. */
function supplyOf({ run, supply }: GatewayValves, nowMs: number): number | null {
  if (run?.kind === 'screed' && !run.ended) return withinLimits(screedSetC(run, nowMs), supply)
  return supplySetpointOf(supply, nowMs)?.setC ?? null
}

/** While a screed is heated up, all circuits get the water of its programme. */
function circuitsOf({ run, supply, gatewayId, sourceReport }: GatewayValves, nowMs: number) {
  const setpoint = run?.kind === 'screed' && !run.ended ? null : supplySetpointOf(supply, nowMs)
  return setpoint ? circuitsAskedOf({ gatewayId, sourceReport }, setpoint) : []
}

/** Commands that are numbered in one transaction with the powers they are for. */
export interface CommandsAlong {
  numberings: Compilable[]
  /** Called once the numbers are on disk. */
  send(): void
}

/** Should the service end during a test, the gateway does not leave the loop open for longer than the test. */
function testEndsInS({ run }: GatewayValves, nowMs: number): number {
  if (!run || run.kind === 'screed' || run.ended || run.untilMs === null || run.untilMs <= nowMs)
    return Number.POSITIVE_INFINITY
  return Math.ceil((run.untilMs - nowMs) / 1000)
}

interface NewCommand {
  gatewayId: string
  sentSeq: number
  command: string
  commandDueAt: number | null
}

const setCommand = statement((db, { gatewayId, sentSeq, command, commandDueAt }: NewCommand) =>
  db
    .updateTable('gateways')
    .set({ commandSeq: numberAfter('command_seq', sentSeq), command, commandDueAt })
    .where('id', '=', gatewayId),
)

export const isDue = ({ commandDueAt }: Sent, nowMs: number): boolean => (commandDueAt ?? 0) <= nowMs

/** A command that another process is to repeat is left to it for so long. */
const REPEAT_LEFT_TO_OWNER_MS = 10_000

/** Buildings with a gateway whose command is to be repeated. */
export async function buildingsDue(
  { db }: Store,
  clock: Clock,
  isOwn: (buildingId: string) => boolean = () => true,
): Promise<string[]> {
  const nowMs = clock.now()
  const rows = await db
    .selectFrom('gateways')
    .select(['buildingId', 'commandDueAt'])
    .where('commandDueAt', '<=', nowMs)
    .execute()
  const due = rows.filter(
    ({ buildingId, commandDueAt }) => isOwn(buildingId) || (commandDueAt ?? 0) <= nowMs - REPEAT_LEFT_TO_OWNER_MS,
  )
  return [...new Set(due.map(({ buildingId }) => buildingId))]
}

/** So that a command is said again, though nothing has changed: the gateway may not have heard it. */
export function dueNow(store: Store, which: { gatewayId: string } | { buildingId: string }): Compilable {
  return 'gatewayId' in which ? gatewayDue.with(store, which) : buildingDue.with(store, which)
}

const gatewayDue = statement((db, { gatewayId }: { gatewayId: string }) =>
  db.updateTable('gateways').set({ commandDueAt: 0 }).where('id', '=', gatewayId),
)

const buildingDue = statement((db, { buildingId }: { buildingId: string }) =>
  db.updateTable('gateways').set({ commandDueAt: 0 }).where('buildingId', '=', buildingId),
)
