type OrDate<Times> = { [Name in keyof Times]: Times[Name] | Date }

/** What is sent, with these times as text or as a `Date`. */
export type Timed<Sent, Names extends keyof Sent> = Omit<Sent, Names> & OrDate<Pick<Sent, Names>>

/** Throws where the `Date` is none: JSON would make null of it, which is an absence without an end. */
export const instantOf = (time: Date | string): string => (typeof time === 'string' ? time : time.toISOString())

export const withInstants = (sent: object): object =>
  Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, value instanceof Date ? instantOf(value) : value]),
  )
