/** The pump or boiler: on while any loop is open, `lead` after the first opened, until `lag` after the last closed. */
export interface Demand {
  on: boolean
  openSinceMs: number | null
  lastOpenMs: number
}

export const NO_DEMAND: Demand = { on: false, openSinceMs: null, lastOpenMs: Number.NEGATIVE_INFINITY }

export function stepDemand(
  demand: Demand,
  anyOpen: boolean,
  { leadMs, lagMs }: { leadMs: number; lagMs: number },
  nowMs: number,
): Demand {
  if (anyOpen) {
    const openSinceMs = demand.openSinceMs ?? nowMs
    return { on: demand.on || nowMs - openSinceMs >= leadMs, openSinceMs, lastOpenMs: nowMs }
  }
  return { ...demand, on: demand.on && nowMs - demand.lastOpenMs < lagMs, openSinceMs: null }
}
