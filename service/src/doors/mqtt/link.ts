export interface MqttMessage {
  topic: string
  payload: Uint8Array
}

export interface PublishOptions {
  qos: 0 | 1
  retain: boolean
}

/** The service's own connection to the broker, whichever that is. */
export interface MqttLink {
  readonly isUp: boolean
  /** False when the broker is away: what must not be lost is said again later. */
  publish(topic: string, payload: string, options: PublishOptions): Promise<boolean>
  /** The handler's promise is the back-pressure: until it resolves, that sender waits. */
  start(handlers: { onMessage(message: MqttMessage): Promise<void>; onConnect(): void }): Promise<void>
  /** Resolves when everything that was under way to us has been handed over, and nothing more will come. */
  stopHearing(): Promise<void>
  stop(): Promise<void>
}
