import type { MaybePromise } from '../../base/at-once.ts'

export interface MqttMessage {
  topic: string
  payload: Uint8Array
  /** Confirms the message to its sender, once it is stored or never will be. Absent where the broker does that itself. */
  confirm?(): void
}

export interface PublishOptions {
  qos: 0 | 1
  retain: boolean
}

export type OnMessage = (message: MqttMessage) => MaybePromise<void>

/** The service's own connection to the broker, whichever that is. */
export interface MqttLink {
  readonly isUp: boolean
  /** False when the broker is away: what must not be lost is said again later. */
  publish(topic: string, payload: string, options: PublishOptions): Promise<boolean>
  /** A promise from the handler is the back-pressure: until it resolves, that sender waits. */
  start(handlers: { onMessage: OnMessage; onConnect(): void }): Promise<void>
  /** Resolves when everything that was under way to us has been handed over, and nothing more will come. */
  stopReceiving(): Promise<void>
  stop(): Promise<void>
}
