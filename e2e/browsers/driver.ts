/** A tab of any browser, as far as the tests need it. */
export interface Tab {
  goto(url: string): Promise<void>
  /** The value of an expression in the page, which may be a promise. */
  run<T>(expression: string): Promise<T>
  /** One of the keys of WebDriver, for example Escape. */
  press(key: Key): Promise<void>
}

export interface Driven {
  version: string
  newTab(): Promise<Tab>
  close(): Promise<void>
}

/** As WebDriver names them: code points of the private use area. */
export const KEYS = { Escape: '\uE00C', Tab: '\uE004', Enter: '\uE007' } as const
export type Key = keyof typeof KEYS

/** As a string, so that every protocol carries it alike. */
export const asJson = (expression: string): string => `(async () => JSON.stringify((await (${expression})) ?? null))()`
