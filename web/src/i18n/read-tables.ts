import { localeFor } from './formats.ts'
import { languageRead } from './languages.ts'

/**
 * The first formatter of a kind makes the browser read its tables, which keeps a phone busy for a tenth of a second. It
 * is done while the answers of the service are on their way, one table after the other, so that a touch gets in between.
 */
export function readTables(): void {
  const locale = localeFor(languageRead(), navigator.languages ?? [])
  setTimeout(() => new Intl.NumberFormat(locale))
  setTimeout(() => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }))
}
