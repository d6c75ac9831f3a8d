/** One relay output as the file names it. */
export interface RelayOutput {
  driver: DriverName
  /** The device's topic or prefix, as it stands in its own settings. */
  topic: string
  /** Shelly `0`, Tasmota `2`, zigbee2mqtt `l1` or empty, ESPHome the switch's object id. */
  output: string
  /** For the driver `mqtt`: everything about it. */
  mqtt?: MqttRelay
}

/** A relay or actuator behind topics of its own. */
export interface MqttRelay {
  set:
    | { kind: 'switch'; topic: string; on: string; off: string }
    /** The position of 0 to `scale` stands in the payload for `{value}`. */
    | { kind: 'percent'; topic: string; payload: string; scale: number }
    /** A motor that opens, closes and stops, by one topic or by a relay for each direction. */
    | {
        kind: 'three-point'
        topic: string
        closeTopic: string | null
        open: string
        close: string
        stop: string
        runS: number
      }
    /** It only reports. */
    | null
  state: { topic: string; path: string; on: string; off: string | null; watts: string | null } | null
  online: { topic: string; path: string; on: string; off: string | null } | null
  /** After this it goes off by itself; null when it does not. */
  autoOffS: number | null
}

/** Families of relays that the program knows; `mqtt` is any other. */
export const DEVICE_DRIVERS = ['shelly', 'zigbee2mqtt', 'tasmota', 'esphome'] as const
export type DeviceDriver = (typeof DEVICE_DRIVERS)[number]

export const DRIVER_NAMES = [...DEVICE_DRIVERS, 'mqtt'] as const
export type DriverName = (typeof DRIVER_NAMES)[number]

export interface Publish {
  topic: string
  payload: string
}

export interface Switching {
  on: boolean
  /** After this the relay goes back by itself: the last line when nobody speaks to it any more. Null: it stays. */
  backAfterS: number | null
}

export type Feedback =
  | { kind: 'state'; on: boolean; watts: number | null }
  /** The state just before the command took effect: it confirms a command that changed nothing. */
  | { kind: 'was'; on: boolean }
  | { kind: 'online'; online: boolean }
  /** The bridge to the relay has started: commands published before it did are lost. */
  | { kind: 'again' }
  | { kind: 'refused'; why: string }

/** When a relay reports its state: after every command, only when the state changes (its state topic is then retained), never. */
export type Confirms = 'every command' | 'changes' | 'never'

/** Where a relay that answers sends its reply. */
export interface ReplyAddress {
  replyTo: string
  id: number
}

export interface Driver {
  /** Whether the relay can go back by itself from that state. */
  goesBack(on: boolean, relay: RelayOutput): boolean
  confirms(relay: RelayOutput): Confirms
  publishes(relay: RelayOutput, switching: Switching, reply: ReplyAddress): Publish[]
  subscriptions(relay: RelayOutput, reply: ReplyAddress): string[]
  /** The messages that request the state, where a relay answers them. */
  stateRequests?(relay: RelayOutput, reply: ReplyAddress): Publish[]
  feedback(relay: RelayOutput, topic: string, payload: Uint8Array, reply: ReplyAddress): Feedback | undefined
}

export function onOff(value: unknown): boolean | undefined {
  if (value === 'ON') return true
  return value === 'OFF' ? false : undefined
}

export const stateFeedback = (on: boolean | undefined, watts: number | null = null): Feedback | undefined =>
  on === undefined ? undefined : { kind: 'state', on, watts }
