/** How temperatures are shown and entered; the service knows Celsius only. */
export type Unit = 'C' | 'F'
export const UNITS: Unit[] = ['C', 'F']

const F_PER_K = 1.8
const FREEZING_F = 32
/** Finer than any step one can enter, coarse enough to end in a short number. */
const PLACES = 100

const rounded = (value: number): number => Math.round(value * PLACES) / PLACES

export interface Scale {
  shown(value: number): number
  stored(shown: number): number
}

export const AS_IS: Scale = { shown: (value) => value, stored: (shown) => shown }

/** A temperature, for example of a room. */
export const temperatureIn = (unit: Unit): Scale =>
  unit === 'C'
    ? AS_IS
    : { shown: (celsius) => celsius * F_PER_K + FREEZING_F, stored: (f) => rounded((f - FREEZING_F) / F_PER_K) }

/** A difference between two, for example of a setback. */
export const differenceIn = (unit: Unit): Scale =>
  unit === 'C' ? AS_IS : { shown: (kelvin) => kelvin * F_PER_K, stored: (f) => rounded(f / F_PER_K) }
