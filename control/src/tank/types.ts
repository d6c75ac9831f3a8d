import type { HotWaterOrder } from '@hypocaust/domain'

/** What people have set of a tank, as the control goes by it. */
export type TankSettings = {
  volumeL: number
  /** To which a charge heats it. */
  fullC: number
  /** The least at the tap, at the times at which water is to be hot. */
  tapC: number
  people: number
  /** To which it is heated once a week; null where it never is. */
  disinfectC: number | null
  isWished: (atMs: number) => boolean
  /** The hour of the day by the clock of the building. */
  hourOf: (atMs: number) => number
}

export type Charge = { kind: HotWaterOrder; fromMs: number; untilMs: number; toC: number }

/** What is known of a tank, as plain JSON. */
export type TankState = {
  atMs: number
  /** As measured, else as expected since it was last known. */
  tankC: number
  measuredMs: number | null
  /** Heat taken in each hour of the day, and the share of it in which the source makes hot water, as learned. */
  useKwh: number[]
  busyShare: number[]
  /** Of the hour that is not over yet. */
  hour: { index: number; useKwh: number; busyMs: number; knownMs: number }
  /** Heat that the source gives the tank, as learned. */
  heatKw: number
  /** At which temperature the source begins by itself, as learned; null until it was seen. */
  ownStartC: number | null
  /** Since when the source makes hot water; null while it does not. */
  busySinceMs: number | null
  /** Where it rises: since when, and from where. */
  rise: { fromMs: number; fromC: number } | null
  knownSinceMs: number
  /** When it was last disinfected; null: not since it is known. */
  disinfectedMs: number | null
  /** Since when it has been as hot as disinfection asks for. */
  hotSinceMs: number | null
}

/** What a gateway reports of a tank. */
export type TankSeen = {
  tankC: number | null
  /** Whether the source makes hot water; null where nothing reports it. */
  isBusy: boolean | null
}
