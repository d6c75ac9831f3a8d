import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { Durations } from './durations.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** Each look wakes the process: at the library's 10 ms, a hundred times a second also without load. */
const LOOK_AT_LOOP_EVERY_MS = 50

/** All figures of a process, in a registry of its own. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOK_AT_LOOP_EVERY_MS })
  // Gauges with the name of a counter, of which Prometheus complains; each is there by type too.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`)
  return {
    registry,
    /** Run before the figures are read: what is asked for rather than counted. */
    beforeRead: [] as (() => void | Promise<void>)[],
    build: new Gauge({
      name: 'hypocaust_build_info',
      help: 'Always 1; the labels name the version and the role of the process.',
      labelNames: ['version', 'role'] as const,
      registers,
    }),
    ...httpFigures(registry),
    ...gatewayFigures(registry),
    ...controlFigures(registry),
    ...databaseFigures(registry),
    saturation: saturationFigure(registry),
    spans: new Counter({
      name: 'hypocaust_trace_spans_total',
      help: 'Spans of traces: exported, or dropped because the collector did not take them.',
      labelNames: ['outcome'] as const,
      registers,
    }),
  }
}

function httpFigures(registry: Registry) {
  const registers = [registry]
  return {
    httpDuration: new Durations({
      name: 'hypocaust_http_request_duration_seconds',
      help: 'Time from request to response, by route.',
      labelNames: ['method', 'route', 'status'],
      bounds: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
      registry,
    }),
    connectionsRefused: new Counter({
      name: 'hypocaust_connections_refused_total',
      help: 'Connections refused because too many were open, in all or from one address, or nobody signed in on them.',
      labelNames: ['door'] as const,
      registers,
    }),
    ready: new Gauge({
      name: 'hypocaust_ready',
      help: 'Whether the process can do its work: 1 while /health/ready answers 200.',
      registers,
    }),
    certificateExpires: new Gauge({
      name: 'hypocaust_certificate_expires_timestamp_seconds',
      help: 'When the certificate of this process ends, in seconds since 1970.',
      labelNames: ['source'] as const,
      registers,
    }),
  }
}

/** Beyond about nine tenths of any, work waits. */
const saturationFigure = (registry: Registry) =>
  new Gauge({
    name: 'hypocaust_saturation_ratio',
    help: 'How much of what a process has is used, from 0 to 1: event loop, requests, intake, database connections.',
    labelNames: ['resource'] as const,
    registers: [registry],
  })

function gatewayFigures(registry: Registry) {
  const registers = [registry]
  return {
    readingsStored: new Counter({ name: 'hypocaust_readings_stored_total', help: 'Readings taken in.', registers }),
    readingsDropped: new Counter({
      name: 'hypocaust_readings_dropped_total',
      help: 'Readings not believed, by reason.',
      labelNames: ['reason'] as const,
      registers,
    }),
    messages: new Counter({
      name: 'hypocaust_gateway_messages_total',
      help: 'Messages from gateways, by topic and outcome.',
      labelNames: ['topic', 'outcome'] as const,
      registers,
    }),
    messagesWaiting: new Gauge({
      name: 'hypocaust_gateway_messages_waiting',
      help: 'Messages from gateways that wait to be stored.',
      registers,
    }),
    brokerConnected: new Gauge({
      name: 'hypocaust_broker_connected',
      help: 'Whether messages of gateways arrive: 1 while the broker is connected and subscribed to.',
      labelNames: ['broker'] as const,
      registers,
    }),
    acknowledgements: new Counter({
      name: 'hypocaust_acknowledgements_total',
      help: 'Answers of gateways to commands, by result.',
      labelNames: ['result'] as const,
      registers,
    }),
    gateways: new Gauge({
      name: 'hypocaust_gateways',
      help: 'Gateways of the whole database: available, silent (seen within a week), not_following (of the available).',
      labelNames: ['state'] as const,
      registers,
    }),
    gatewaysBuffered: new Gauge({
      name: 'hypocaust_gateways_buffered_readings',
      help: 'Readings that available gateways hold because they are not stored yet.',
      registers,
    }),
    commands: new Counter({ name: 'hypocaust_power_commands_total', help: 'Power commands sent.', registers }),
  }
}

function controlFigures(registry: Registry) {
  const registers = [registry]
  return {
    controlSteps: new Counter({
      name: 'hypocaust_control_steps_total',
      help: 'Rooms stepped by the heating control.',
      registers,
    }),
    fits: new Counter({
      name: 'hypocaust_room_fits_total',
      help: 'Rooms learned from their last days, by outcome.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    fitsOverdue: new Gauge({
      name: 'hypocaust_room_fits_overdue',
      help: 'Rooms that nobody has tried to learn from for more than a day.',
      registers,
    }),
  }
}

function databaseFigures(registry: Registry) {
  const registers = [registry]
  return {
    databaseConnections: new Gauge({
      name: 'hypocaust_database_connections',
      help: 'Connections to PostgreSQL by state; waiting are requests that have none.',
      labelNames: ['state'] as const,
      registers,
    }),
    databaseWritable: new Gauge({
      name: 'hypocaust_database_writable',
      help: 'Whether the database takes writes: 0 on a full disk, and while commits wait for a standby.',
      registers,
    }),
    migrations: new Gauge({
      name: 'hypocaust_database_migrations',
      help: 'Migrations of this version that are done and missing, and those of a newer one.',
      labelNames: ['state'] as const,
      registers,
    }),
    standbys: new Gauge({
      name: 'hypocaust_database_standbys',
      help: 'Servers that copy the PostgreSQL of the service.',
      registers,
    }),
    replicationLag: new Gauge({
      name: 'hypocaust_database_replication_lag_bytes',
      help: 'What a standby has not applied yet; shown to database roles with pg_monitor.',
      labelNames: ['standby'] as const,
      registers,
    }),
    slowStatements: new Counter({
      name: 'hypocaust_database_slow_statements_total',
      help: 'Statements and transactions that took longer than a second.',
      registers,
    }),
  }
}
