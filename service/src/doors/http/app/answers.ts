import Type from 'typebox'
import { errors } from '../../../base/errors.ts'

/** The part of a path that names one thing by its id. */
export const idOf = <Name extends string>(name: Name, what: string) =>
  Type.Object({ [name]: Type.String({ description: `The \`id\` of the ${what}.` }) })

export const ofBuilding = idOf('buildingId', 'building')
export const ofRoom = idOf('roomId', 'room')

/** Nothing to tell but that it was done. */
export const DONE = { 204: Type.Null({ description: 'Done.' }) }

/** What the browser's own interface for passkeys takes or gives; its form is the browsers' (Web Authentication). */
export const PasskeyOptions = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  description: 'Options for the browser, as Web Authentication writes them in JSON.',
})

/** An answer that is not JSON. */
export const textOf = (type: string, description: string) => ({
  200: { description, content: { [type]: { schema: Type.String() } } },
})

export const wrongCode = () => errors.wrongCredentials('The code is not right, or too old.')
