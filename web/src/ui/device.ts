import type { Translate } from '../i18n/translator.ts'

const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari']
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux']

/** Browser and system, as far as they are known; products are called the same in every language. */
export function deviceInWords(userAgent: string, t: Translate): string {
  const find = (names: string[]) => names.find((name) => userAgent.includes(name))
  const [found, system] = [find(BROWSERS), find(SYSTEMS)]
  const browser = found === 'Edg' ? 'Edge' : found === 'OPR' ? 'Opera' : found
  if (browser && system) return t('sessions.device', { browser, system })
  return browser ?? system ?? t('sessions.unknown')
}
