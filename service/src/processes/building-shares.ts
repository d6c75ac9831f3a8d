/** By building: the traceparent of what has led to its control, where that is recorded. */
export type Traces = Map<string, string>

/** Which of the processes that control buildings controls which. Any may control any: the shares only save work. */
export interface BuildingShares {
  isOwn(buildingId: string): boolean
  /** Has the buildings controlled, each by the process whose share it is in. */
  control(buildingIds: string[], traces: Traces): void
}

type Control = (buildingId: string, trace?: string) => Promise<void>

/** For a process that has all buildings to itself. */
export const allBuildings = (control: Control): BuildingShares => ({
  isOwn: () => true,
  control(buildingIds, traces) {
    for (const buildingId of buildingIds) void control(buildingId, traces.get(buildingId))
  },
})
