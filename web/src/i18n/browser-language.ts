/** Whether a tag names a language; some systems have "C" or "en_US.UTF-8" for one. */
export function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

/** The chart's library formats with the browser's language when it is loaded, and throws where that is none. */
export function repairBrowserLanguage(): void {
  if (!isLocale(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en' })
}
