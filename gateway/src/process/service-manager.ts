import { execFile } from 'node:child_process'

/** How many notifications are sent within the time the manager waits for one. */
const TIMES_PER_LIMIT = 3

/**
 * Tells systemd that this process is ready, and then again and again that it is alive: `Type=notify` and `WatchdogSec` of
 * its unit. Node cannot write to a Unix datagram socket, so systemd's own command does it.
 */
export function notifyServiceManager(env: NodeJS.ProcessEnv, warn: (text: string) => void): void {
  if (env.NOTIFY_SOCKET === undefined) return
  const notify = (...state: string[]) =>
    execFile('systemd-notify', state, { env }, (error) => {
      if (error) warn(`systemd was not notified; is systemd-notify installed? ${error.message}`)
    })
  notify('--ready')
  const limitMs = Number(env.WATCHDOG_USEC ?? 0) / 1000
  if (limitMs > 0) setInterval(() => notify('WATCHDOG=1'), limitMs / TIMES_PER_LIMIT).unref()
}
