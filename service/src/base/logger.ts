import pino, { type DestinationStream, type Logger } from 'pino'
import { rememberLine } from './recent-lines.ts'
import { SECRET_IN_TEXT } from './secret.ts'

/** Logs go to standard error. No key or token gets into them, whatever was logged. */
export function createLogger(level: string, destination: DestinationStream = pino.destination(2)): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: {
        streamWrite: (line) => {
          const shown = line.replace(SECRET_IN_TEXT, '$1[hidden]')
          rememberLine(shown)
          return shown
        },
      },
    },
    destination,
  )
}
