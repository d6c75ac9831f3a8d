import { MINIMUM_FLOOR_C, PRESET_MODES, type Room, type RoomPatch, TARGETS_OF, type TargetOf } from '@hypocaust/domain'

type RoomCommand =
  | { kind: 'patch'; patch: RoomPatch }
  | { kind: 'dial'; celsius: number }
  | { kind: 'target_of'; targetOf: TargetOf }
  | { kind: 'floor_minimum'; celsius: number }
  | { kind: 'boost' }
  | { kind: 'end_override' }

/** What a message on a command topic asks of a room; nothing for one that makes no sense. */
export function commandOf(what: string, text: string, limits: Limits): RoomCommand | undefined {
  switch (what) {
    case 'mode':
      if (text === 'off') return { kind: 'patch', patch: { hvac_mode: 'off' } }
      // Whether on is warm or cool is the season of the building.
      return text === 'heat' || text === 'cool' ? { kind: 'patch', patch: { hvac_mode: 'heat' } } : undefined
    case 'preset': {
      const preset_mode = PRESET_MODES.find((mode) => mode === text)
      return preset_mode && { kind: 'patch', patch: { preset_mode } }
    }
    case 'base': {
      const celsius = celsiusIn(text, limits)
      return celsius === undefined ? undefined : { kind: 'patch', patch: { target_temperature: celsius } }
    }
    case 'target': {
      const celsius = celsiusIn(text, limits)
      return celsius === undefined ? undefined : { kind: 'dial', celsius }
    }
    case 'target_of': {
      const targetOf = TARGETS_OF.find((each) => each === text)
      return targetOf && { kind: 'target_of', targetOf }
    }
    case 'floor_minimum': {
      const { minimum, maximum } = MINIMUM_FLOOR_C
      const celsius = celsiusIn(text, { min_temp: minimum, max_temp: maximum })
      return celsius === undefined ? undefined : { kind: 'floor_minimum', celsius }
    }
    case 'boost':
    case 'end_override':
      return { kind: what }
    default:
      return undefined
  }
}

/** What it asks of a building: whether its people are away. */
export const awayIn = (what: string, text: string): boolean | undefined =>
  what === 'away' && (text === 'True' || text === 'False') ? text === 'True' : undefined

/** Whether a person is home, in the words of Home Assistant's own presence; undefined for one that it does not know. */
export function homeIn(text: string): boolean | undefined {
  if (text === 'home') return true
  return text === 'not_home' ? false : undefined
}

type Limits = Pick<Room, 'min_temp' | 'max_temp'>

function celsiusIn(text: string, { min_temp, max_temp }: Limits): number | undefined {
  const celsius = /^-?\d+(\.\d+)?$/.test(text) ? Math.round(Number(text) * 10) / 10 : Number.NaN
  return celsius >= min_temp && celsius <= max_temp ? celsius : undefined
}
