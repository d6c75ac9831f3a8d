/** A device that says nothing by itself: it is asked, and orders are written to it. */
export interface PolledDevice {
  /** Begins to ask for what somebody listens to. */
  start(topics: ReadonlySet<string>): void
  /** The newest order for a topic, carried out as soon as the device is reached; false where it takes no such order. */
  order(topic: string, payload: string): boolean
  /** Carries out what was ordered, if the device answers, and closes the connection. */
  stop(): Promise<void>
}

export interface PolledParts {
  onMessage(topic: string, payload: string): void
  log(line: string): void
}
