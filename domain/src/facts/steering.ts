/** What decides the power of a room's floor: the heating control, a fixed power, or the room is off. */
export type Steering = { kind: 'automatic' } | { kind: 'manual'; power: number } | { kind: 'off' }

/** As /v1 shows it and the database stores it. The power is remembered while the heating control decides. */
export interface ManualSetting {
  enabled: boolean
  power: number
}

/** The part of a room's patch that steers. */
export interface SteeringPatch {
  hvac_mode?: 'heat' | 'off'
  manual_power?: Partial<ManualSetting>
}

/** There is no separate off switch: off is manual power held at zero. */
export function steeringOf({ enabled, power }: ManualSetting): Steering {
  if (!enabled) return { kind: 'automatic' }
  return power > 0 ? { kind: 'manual', power } : { kind: 'off' }
}

/** What a patch changes of the stored setting; `hvac_mode` wins over `manual_power`. */
export function steeringChanges({ hvac_mode, manual_power = {} }: SteeringPatch): Partial<ManualSetting> {
  switch (hvac_mode) {
    case 'off':
      return { enabled: true, power: 0 }
    case 'heat':
      return { enabled: false }
    default:
      return manual_power
  }
}

export const applyPatch = (stored: ManualSetting, patch: SteeringPatch): ManualSetting => ({
  ...stored,
  ...steeringChanges(patch),
})

/** The power that holds without the heating control; undefined where it decides. */
export function heldPower(steering: Steering): number | undefined {
  switch (steering.kind) {
    case 'automatic':
      return undefined
    case 'manual':
      return steering.power
    case 'off':
      return 0
  }
}

export const hvacModeOf = ({ kind }: Steering): 'heat' | 'off' => (kind === 'off' ? 'off' : 'heat')

/** While frost protection acts, a room that is off heats. */
export function hvacActionOf({ kind }: Steering, power: number): 'heating' | 'idle' | 'off' {
  if (power > 0) return 'heating'
  return kind === 'off' ? 'off' : 'idle'
}
