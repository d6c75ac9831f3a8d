import type { TankSettings } from './types.ts'

/** Of water, in kWh. */
const KWH_PER_L_K = 0.001163
/** Of the cellar or bathroom in which it stands. */
const AROUND_C = 18
/** Of class C by EU 812/2013: 16.66 + 8.33 · V^0.4 W at 45 K. */
const CLASS_C = { fixedW: 16.66, byVolumeW: 8.33, power: 0.4, atK: 45 }
/** A family of four takes 5.8 kWh a day (load profile M of EN 16147). */
const KWH_PER_PERSON = 1.46
/** Of a day, hour by hour: mostly in the morning and in the evening. */
const USE_BY_HOUR = [0, 0, 0, 0, 0, 1, 4, 8, 4, 2, 1, 2, 3, 1, 1, 1, 1, 2, 4, 4, 6, 4, 1, 0]

export const capacityKwhK = ({ volumeL }: Pick<TankSettings, 'volumeL'>): number => volumeL * KWH_PER_L_K

/** What a tank loses by standing, in kW. */
export function lossKw({ volumeL }: Pick<TankSettings, 'volumeL'>, tankC: number): number {
  const ratedW = CLASS_C.fixedW + CLASS_C.byVolumeW * volumeL ** CLASS_C.power
  return (ratedW / CLASS_C.atK / 1000) * Math.max(0, tankC - AROUND_C)
}

/** What a household takes in each hour of the day, until it has been learned. */
export function usualUseKwh(people: number): number[] {
  const all = USE_BY_HOUR.reduce((sum, each) => sum + each, 0)
  return USE_BY_HOUR.map((each) => (people * KWH_PER_PERSON * each) / all)
}
