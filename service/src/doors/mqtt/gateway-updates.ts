import type {
  Ack,
  GatewayFileCopy,
  GatewayStatus,
  Heartbeat,
  RelayReport,
  SourceReport,
  WindowReport,
} from '@hypocaust/domain'
import type { Compilable, ExpressionBuilder, Insertable, Selectable } from 'kysely'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { GatewayTable, ValveWindowTable } from '../../store/tables/gateways.ts'
import type { Tables } from '../../store/tables.ts'

/** The server's clock at arrival counts, never the gateway's. */
export const heartbeatUpdate = (store: Store, gatewayId: string, beat: Heartbeat, receivedAt: number): Compilable =>
  setHeartbeat.with(store, {
    gatewayId,
    receivedAt,
    boot: beat.boot,
    clockOk: beat.clock_ok === false ? 0 : 1,
    buffered: beat.buffered ?? null,
  })

type HeartbeatColumns = Columns<'boot' | 'clockOk' | 'buffered'> & { receivedAt: number }

const setHeartbeat = statement((db, { gatewayId, receivedAt, boot, clockOk, buffered }: HeartbeatColumns) =>
  db
    .updateTable('gateways')
    .set((eb) => ({
      lastSeenAt: receivedAt,
      boot,
      clockOk,
      buffered: valueOrKept(eb, 'buffered', buffered),
      agentSeenAt: eb.case().when('agentBoot', '=', boot).then(eb.val(receivedAt)).else(eb.ref('agentSeenAt')).end(),
    }))
    .where('id', '=', gatewayId),
)

/** The will of a connection from before a restart may come after the gateway is back, and is then no news. */
export function statusUpdate(store: Store, gatewayId: string, status: GatewayStatus, receivedAt: number): Compilable[] {
  const { boot, version = null, channels = null, config_revision: revision } = status
  const confirmedRevision = typeof revision === 'number' ? revision : null
  const columns = { gatewayId, boot, version, channels, confirmedRevision }
  if (status.state === 'offline') return [setOffline.with(store, columns)]
  return [
    setOnline.with(store, { ...columns, watches: status.watches ? 1 : 0, followsMoves: status.moves ? 1 : 0 }),
    ...(status.agent === 'drives'
      ? [nameAgent.with(store, { gatewayId, agentBoot: boot, agentSeenAt: receivedAt })]
      : []),
    ...(status.agent === 'stands_by'
      ? [
          noteOtherAgent.with(store, { gatewayId, otherAgent: status.host ?? '', otherAgentAt: receivedAt }),
          forgetGoneAgent.with(store, { gatewayId, goneSince: receivedAt - GONE_AFTER_MS }),
        ]
      : []),
  ]
}

/** An agent that stood by before it took over is no other one; the one before it reports again if it still runs. */
const nameAgent = statement((db, { gatewayId, agentBoot, agentSeenAt }: Columns<'agentBoot' | 'agentSeenAt'>) =>
  db
    .updateTable('gateways')
    .set({ agentBoot, agentSeenAt, otherAgent: null, otherAgentAt: null })
    .where('id', '=', gatewayId)
    .where('agentBoot', 'is distinct from', agentBoot),
)

const noteOtherAgent = statement(
  (db, { gatewayId, otherAgent, otherAgentAt }: Columns<'otherAgent' | 'otherAgentAt'>) =>
    db.updateTable('gateways').set({ otherAgent, otherAgentAt }).where('id', '=', gatewayId),
)

/** An agent that stands by for one that is gone for so long need not: its line may be too bad to win the session. */
const GONE_AFTER_MS = 10 * 60_000

const forgetGoneAgent = statement((db, { gatewayId, goneSince }: OfGateway & { goneSince: number }) =>
  db
    .updateTable('gateways')
    .set({ agentBoot: null, agentSeenAt: null })
    .where('id', '=', gatewayId)
    .where((eb) => eb.or([eb('agentSeenAt', 'is', null), eb('agentSeenAt', '<', goneSince)])),
)

type StatusColumns = Columns<'boot' | 'version' | 'channels' | 'confirmedRevision'>

const statusColumns = (eb: Gateways, { boot, version, channels, confirmedRevision }: StatusColumns) => ({
  boot,
  version: valueOrKept(eb, 'version', version),
  channels: valueOrKept(eb, 'channels', channels),
  confirmedRevision: valueOrKept(eb, 'confirmedRevision', confirmedRevision),
})

const setOnline = statement((db, status: StatusColumns & Columns<'watches' | 'followsMoves'>) =>
  db
    .updateTable('gateways')
    .set((eb) => ({
      state: 'online',
      watches: status.watches,
      followsMoves: status.followsMoves,
      ...statusColumns(eb, status),
    }))
    .where('id', '=', status.gatewayId),
)

const setOffline = statement((db, status: StatusColumns) =>
  db
    .updateTable('gateways')
    .set((eb) => ({ state: 'offline', ...statusColumns(eb, status) }))
    .where('id', '=', status.gatewayId)
    .where((eb) => eb.or([eb('boot', 'is', null), eb('boot', '=', status.boot)])),
)

/** What a gateway has reported of itself. */
export type KnownStatus = Pick<Selectable<GatewayTable>, 'state' | 'boot' | 'channels' | 'confirmedRevision'>

/**
 * Whether a status brings a new configuration's revision and nothing else. As a rule the gateway has been online all
 * along; but where the broker was away, or several processes share the messages, it may be the first after a reconnect.
 */
export const isConfirmation = (known: KnownStatus, status: GatewayStatus): boolean =>
  known.state === 'online' &&
  known.boot === status.boot &&
  known.channels === (status.channels ?? known.channels) &&
  typeof status.config_revision === 'number' &&
  known.confirmedRevision !== status.config_revision

/** What a gateway was sent, and what it has acknowledged. */
export type KnownCommand = Pick<Selectable<GatewayTable>, 'commandSeq' | 'ackedSeq'>

export const hasCommand = ({ commandSeq, ackedSeq }: KnownCommand): boolean => (ackedSeq ?? 0) >= commandSeq

export const ackUpdate = (store: Store, gatewayId: string, { epoch, seq, result }: Ack): Compilable =>
  setAcked.with(store, { gatewayId, epoch, seq, result })

const setAcked = statement((db, { gatewayId, epoch, seq, result }: Ack & OfGateway) =>
  db
    .updateTable('gateways')
    .set({ ackedEpoch: epoch, ackedSeq: seq, ackResult: result })
    .where('id', '=', gatewayId)
    .where((eb) =>
      eb.or([
        eb('ackedEpoch', 'is', null),
        eb('ackedEpoch', '<', epoch),
        eb.and([eb('ackedEpoch', '=', epoch), eb('ackedSeq', '<=', seq)]),
      ]),
    ),
)

export const relaysUpdate = (store: Store, gatewayId: string, report: RelayReport): Compilable =>
  setRelays.with(store, { gatewayId, relayReport: JSON.stringify(report) })

const setRelays = statement((db, { gatewayId, relayReport }: Columns<'relayReport'>) =>
  db.updateTable('gateways').set({ relayReport }).where('id', '=', gatewayId),
)

export const sourceUpdate = (store: Store, gatewayId: string, report: SourceReport): Compilable =>
  setSource.with(store, { gatewayId, sourceReport: JSON.stringify(report) })

const setSource = statement((db, { gatewayId, sourceReport }: Columns<'sourceReport'>) =>
  db.updateTable('gateways').set({ sourceReport }).where('id', '=', gatewayId),
)

export const fileUpdate = (store: Store, gatewayId: string, { text }: GatewayFileCopy): Compilable =>
  setFile.with(store, { gatewayId, file: text })

const setFile = statement((db, { gatewayId, file }: Columns<'file'>) =>
  db.updateTable('gateways').set({ file }).where('id', '=', gatewayId).where('file', 'is distinct from', file),
)

/** Nothing for a window whose start cannot be read. */
export function windowInsert(store: Store, gatewayId: string, report: WindowReport): Compilable[] {
  const startedAt = Date.parse(report.start)
  if (Number.isNaN(startedAt)) return []
  const { channel, window_s: windowS, open_s: openS, source } = report
  return [addWindow.with(store, { gatewayId, channel, startedAt, windowS, openS, source })]
}

const addWindow = statement(
  (db, { gatewayId, channel, startedAt, windowS, openS, source }: Insertable<ValveWindowTable>) =>
    db
      .insertInto('valveWindows')
      .values({ gatewayId, channel, startedAt, windowS, openS, source })
      .onConflict((conflict) => conflict.columns(['gatewayId', 'channel', 'startedAt', 'source']).doNothing()),
)

type OfGateway = { gatewayId: string }

/** What is written of a gateway. */
type Columns<Column extends keyof GatewayTable> = OfGateway & Pick<Selectable<GatewayTable>, Column>

type Gateways = ExpressionBuilder<Tables, 'gateways'>

/** What a message leaves out stays as it is. */
const valueOrKept = <Column extends 'buffered' | 'version' | 'channels' | 'confirmedRevision'>(
  eb: Gateways,
  column: Column,
  value: Selectable<GatewayTable>[Column],
) => eb.fn.coalesce(eb.val(value), column)
