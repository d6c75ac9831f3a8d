import Type from 'typebox'
import { relayFields } from '../profiles/schema.ts'
import { DRIVER_NAMES } from '../valves/driver.ts'

export const closed = { additionalProperties: false }
export const Text = Type.String({ minLength: 1, maxLength: 1000 })
export const Topic = Type.String({ minLength: 1, maxLength: 500, pattern: '^[^+#]+$' })
export const Seconds = (minimum: number, maximum: number) => Type.Number({ minimum, maximum })

/** Channels that belong to one part of several, such as a pump. */
export const OwnChannels = Type.Array(Type.Integer({ minimum: 1, maximum: 256 }), { minItems: 1, maxItems: 256 })

/** A relay with topics of its own, for the driver `mqtt`. */
export const mqttRelayFields = { ...relayFields, set: Type.Optional(relayFields.set) }

/** The fields that name one relay. */
export const relay = {
  driver: Type.Optional(Type.Enum([...DRIVER_NAMES])),
  profile: Type.Optional(Text),
  topic: Type.Optional(Topic),
  ...mqttRelayFields,
  output: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 256 }), Text])),
}
