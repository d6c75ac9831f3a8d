import Type from 'typebox'
import { errors } from '../../../base/errors.ts'

const LONGEST_WAIT_S = 55

/** In the query of a request that can wait. */
export const WaitSeconds = Type.Optional(
  Type.String({
    description: `Seconds to wait for a change, 0 to ${LONGEST_WAIT_S}; 0 unless given.`,
    examples: ['50'],
  }),
)

export function secondsOf(text = '0'): number {
  const seconds = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN
  if (!(seconds <= LONGEST_WAIT_S))
    throw errors.invalidValue(`wait must be a whole number from 0 to ${LONGEST_WAIT_S}.`)
  return seconds
}
