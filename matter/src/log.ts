import { LogDestination, LogFormat, Logger, LogLevel } from '@matter/main'

export type MatterLog = (level: 'debug' | 'warn' | 'error', text: string) => void

/** The library's own log becomes a part of ours; its news of everyday work are details there. */
export function routeLogs(log: MatterLog): void {
  for (const name of Object.keys(Logger.destinations)) delete Logger.destinations[name]
  Logger.destinations.hypocaust = LogDestination({
    name: 'hypocaust',
    level: LogLevel.INFO,
    // It would write the pairing code into the log.
    facilityLevels: { CommissioningServer: LogLevel.WARN },
    add: ({ level, facility, values }) => log(levelOf(level), `${facility}: ${LogFormat.format(values)}`),
  })
}

function levelOf(level: LogLevel): 'debug' | 'warn' | 'error' {
  if (level >= LogLevel.ERROR) return 'error'
  return level >= LogLevel.WARN ? 'warn' : 'debug'
}
