import { storeCompiledCode } from '@hypocaust/gateway/compile-cache'
import { notifyServiceManager } from '@hypocaust/gateway/service-manager'
import { createLogger, letHeapDouble, type SettingName, startService } from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, settingsOf } from '../context.ts'
import { noteListening } from '../listening.ts'
import { stopOnSignal } from '../stop-on-signal.ts'

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

export function serveCommand(program: Command): void {
  addSettingFlags(program.command('serve').description('run the service'), [...SERVE_FLAGS, 'role']).action(
    async (_flags: object, command: Command) => {
      const settings = settingsOf(command)
      const service = await startService(settings)
      stopOnSignal(() => service.stop())
      const isReached = settings.role === 'all' || settings.role === 'api'
      if (isReached) noteListening(settings.data, settings, service.url)
      // From here on: to bring a large database up to date may take longer.
      service.watch()
      const logger = createLogger(settings.log_level)
      notifyServiceManager(process.env, (text) => logger.warn(text))
      storeCompiledCode()
      letHeapDouble()
      console.log(`Hypocaust listens on ${service.url}`)
      console.log(`Data is stored in ${service.storedIn}`)
      if (isReached) console.log(`The API reference is at ${service.url}/docs/`)
      if (service.authority)
        console.log(
          'The certificate is issued by the service’s own authority; hypocaust tls show explains how to install it on a phone',
        )
    },
  )
}
