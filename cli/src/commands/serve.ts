import { type RunningService, type SettingName, startService } from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, settingsOf } from '../context.ts'

export const SERVE_FLAGS: SettingName[] = [
  'data',
  'host',
  'port',
  'mqtt_port',
  'tls_cert',
  'tls_key',
  'announce',
  'log_level',
]

const DRAIN_LIMIT_MS = 10_000

export function serveCommand(program: Command): void {
  addSettingFlags(program.command('serve').description('run the service'), [...SERVE_FLAGS, 'role']).action(
    async (_flags: object, command: Command) => {
      const settings = settingsOf(command)
      const service = await startService(settings)
      stopOnSignal(service)
      console.log(`Hypocaust listens on ${service.url}`)
      if (settings.role !== 'ingest') console.log(`The API reference is at ${service.url}/docs/`)
      if (service.authority)
        console.log('Its certificate is of its own authority; hypocaust tls show tells how a phone takes that')
    },
  )
}

/** Ends with 0 after the requests under way are answered; a second signal ends at once. */
export function stopOnSignal(service: RunningService): void {
  let isStopping = false
  const stop = async () => {
    if (isStopping) process.exit(1)
    isStopping = true
    setTimeout(() => process.exit(1), DRAIN_LIMIT_MS).unref()
    await service.stop()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
