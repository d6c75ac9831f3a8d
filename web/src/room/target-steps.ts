import type { AppRoom } from '@hypocaust/domain'
import { temperatureIn, type Unit } from '../i18n/units.ts'

const STEP: Record<Unit, number> = { C: 0.5, F: 1 }
/** A target stored in Celsius is hardly ever a whole number of degrees Fahrenheit. */
const NEAR = 0.05

/** The next full step above or below, in the unit shown, within what the room allows. */
export function steppedC(targetC: number, direction: 1 | -1, unit: Unit, room: Limits): number {
  const { shown, stored } = temperatureIn(unit)
  const steps = shown(targetC) / STEP[unit]
  const next = direction === 1 ? Math.floor(steps + NEAR) + 1 : Math.ceil(steps - NEAR) - 1
  return withinC(stored(next * STEP[unit]), room)
}

type Limits = Pick<AppRoom, 'min_temp' | 'max_temp'>

export const withinC = (celsius: number, room: Limits): number =>
  Math.min(room.max_temp, Math.max(room.min_temp, celsius))
