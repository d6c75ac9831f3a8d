import type { Ack, GatewayStatus, Heartbeat, RelayReport, SourceReport, WindowReport } from '@hypocaust/domain'
import type { Compilable, Selectable } from 'kysely'
import type { Store } from '../../store/store.ts'
import type { GatewayTable } from '../../store/tables.ts'

/** The server's clock at arrival counts, never the gateway's. */
export const heartbeatUpdate = ({ db }: Store, gatewayId: string, beat: Heartbeat, receivedAt: number): Compilable =>
  db
    .updateTable('gateways')
    .set({
      lastSeenAt: receivedAt,
      boot: beat.boot,
      clockOk: beat.clock_ok === false ? 0 : 1,
      ...(beat.buffered !== undefined && { buffered: beat.buffered }),
    })
    .where('id', '=', gatewayId)

/** The will of a connection from before a restart may come after the gateway is back, and is then no news. */
export const statusUpdate = ({ db }: Store, gatewayId: string, status: GatewayStatus): Compilable =>
  db
    .updateTable('gateways')
    .set({
      state: status.state,
      boot: status.boot,
      ...(status.version !== undefined && { version: status.version }),
      ...(status.channels !== undefined && { channels: status.channels }),
      ...(status.state === 'online' && { watches: status.watches ? 1 : 0 }),
      ...(typeof status.config_revision === 'number' && { confirmedRevision: status.config_revision }),
    })
    .where('id', '=', gatewayId)
    .$if(status.state === 'offline', (query) =>
      query.where((eb) => eb.or([eb('boot', 'is', null), eb('boot', '=', status.boot)])),
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

export const ackUpdate = ({ db }: Store, gatewayId: string, { epoch, seq, result }: Ack): Compilable =>
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
    )

export const relaysUpdate = ({ db }: Store, gatewayId: string, report: RelayReport): Compilable =>
  db
    .updateTable('gateways')
    .set({ relayReport: JSON.stringify(report) })
    .where('id', '=', gatewayId)

export const sourceUpdate = ({ db }: Store, gatewayId: string, report: SourceReport): Compilable =>
  db
    .updateTable('gateways')
    .set({ sourceReport: JSON.stringify(report) })
    .where('id', '=', gatewayId)

/** Nothing for a window whose start cannot be read. */
export function windowInsert({ db }: Store, gatewayId: string, report: WindowReport): Compilable[] {
  const startedAt = Date.parse(report.start)
  if (Number.isNaN(startedAt)) return []
  const { channel, window_s: windowS, open_s: openS, source } = report
  return [
    db
      .insertInto('valveWindows')
      .values({ gatewayId, channel, startedAt, windowS, openS, source })
      .onConflict((conflict) => conflict.columns(['gatewayId', 'channel', 'startedAt', 'source']).doNothing()),
  ]
}
