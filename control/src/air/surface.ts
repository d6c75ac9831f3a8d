import { saturatedAtC } from '@hypocaust/domain/facts'

/** Mould grows on a surface where the air against it is this humid for long (DIN 4108-2, ISO 13788). */
export const DAMP_PCT = 80

/** The coldest surface of a room: the factor f_Rsi is its share of the way from outdoors to the room's temperature. */
export const surfaceC = (airC: number, outdoorC: number, factor: number): number =>
  outdoorC + factor * (airC - outdoorC)

/** How warm the room has to be for its coldest surface not to be damp with this much vapour in its air. */
export const dryAtC = (hpa: number, outdoorC: number, factor: number): number =>
  outdoorC + (saturatedAtC(hpa / (DAMP_PCT / 100)) - outdoorC) / factor
