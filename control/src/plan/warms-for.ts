import { MINUTE_MS } from '@hypocaust/domain/facts'
import type { Aim, Decision } from '../room/types.ts'

/** The moment a room is warmed for ahead of time: the end of a night or of an absence. Null when it is heated for now. */
export function warmsFor(
  { atMs, mode, power, aim, without }: Pick<Decision, 'atMs' | 'mode' | 'power' | 'aim' | 'without'>,
  aimAt: (atMs: number) => Aim,
): number | null {
  if (mode !== 'heat' || power === 0 || !without || without.lowC <= aim.lowC) return null
  let beginsMs = Math.floor(without.atMs / MINUTE_MS) * MINUTE_MS
  while (beginsMs > atMs && aimAt(beginsMs - MINUTE_MS).lowC >= without.lowC) beginsMs -= MINUTE_MS
  return beginsMs
}
