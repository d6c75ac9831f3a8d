/** Which of the processes that control buildings controls which. Any may control any: the shares only save work. */
export interface BuildingShares {
  isOwn(buildingId: string): boolean
  /** Has the buildings controlled, each by the process whose share it is in. */
  control(buildingIds: string[]): void
}

type Control = (buildingId: string) => Promise<void>

/** For a process that has all buildings to itself. */
export const allBuildings = (control: Control): BuildingShares => ({
  isOwn: () => true,
  control(buildingIds) {
    for (const buildingId of buildingIds) void control(buildingId)
  },
})
