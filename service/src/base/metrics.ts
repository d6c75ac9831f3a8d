import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

/** All figures of a process, in a registry of its own. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    httpDuration: new Histogram({
      name: 'hypocaust_http_request_duration_seconds',
      help: 'Time from request to response, by route.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
      registers,
    }),
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
    controlSteps: new Counter({
      name: 'hypocaust_control_steps_total',
      help: 'Rooms stepped by the heating control.',
      registers,
    }),
    commands: new Counter({ name: 'hypocaust_power_commands_total', help: 'Power commands sent.', registers }),
  }
}
