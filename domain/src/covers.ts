import Type, { type Static } from 'typebox'
import { ENTRY_KEY_PATTERN } from './patterns.ts'

export const CoverName = Type.String({ pattern: ENTRY_KEY_PATTERN })
/** A day and an hour: days are that long where clocks are set back. */
export const LONGEST_ORDER_S = 90_000
const OneDay = Type.Number({ minimum: 0, maximum: LONGEST_ORDER_S })

/** To move a cover outside a window, and when to move it back. */
export const CoverOrder = Type.Object({
  name: CoverName,
  /** Percent; 100 is open. */
  position: Type.Number({ minimum: 0, maximum: 100 }),
  /** Seconds until it is moved back, without any further word. */
  for_s: OneDay,
  /** Seconds until the day of the building ends: so long it is left alone once a person has moved it. */
  day_s: OneDay,
})
export type CoverOrder = Static<typeof CoverOrder>

/** `moved`: down, and waiting to be moved back; `left`: a person has moved it, or had closed it before. */
const COVERS_HELD = ['no', 'moved', 'left'] as const
export const MOST_COVERS = 64

export const CoverReport = Type.Object({ name: CoverName, held: Type.Enum([...COVERS_HELD]) })
export type CoverReport = Static<typeof CoverReport>
