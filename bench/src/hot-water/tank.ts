import { PRIOR_QUALITY, type TankSettings } from '@hypocaust/control'
import { DAY_MS, HOUR_MS } from '@hypocaust/domain'

/** The tank of both benchmarks, its household and its heat pump. */
export const TANK = { volumeL: 250, startC: 45, fullC: 53, disinfectC: 62, heatKw: 7, people: 3 }
export const TAP_C = 40
export const LOWER_START_C = 42
/** The water in the heat exchanger of the tank is warmer than the tank. */
export const ABOVE_TANK_K = 5
export const KWH_PER_L_K = 0.001163
export const SOURCE = { kind: 'heat-pump' as const, quality: PRIOR_QUALITY }

export const tankSettings: TankSettings = {
  ...{ volumeL: TANK.volumeL, fullC: TANK.fullC, tapC: TAP_C, people: TANK.people, disinfectC: null },
  isWished: () => true,
  hourOf: (atMs) => Math.floor((atMs % DAY_MS) / HOUR_MS),
}
