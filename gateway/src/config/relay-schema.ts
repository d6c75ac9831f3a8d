import Type from 'typebox'
import { DRIVER_NAMES } from '../valves/driver.ts'

export const closed = { additionalProperties: false }
export const Text = Type.String({ minLength: 1, maxLength: 1000 })
export const Topic = Type.String({ minLength: 1, maxLength: 500, pattern: '^[^+#]+$' })
export const Seconds = (minimum: number, maximum: number) => Type.Number({ minimum, maximum })

/** The fields that name one relay. */
export const relay = {
  driver: Type.Enum([...DRIVER_NAMES]),
  topic: Topic,
  output: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 256 }), Text])),
}
