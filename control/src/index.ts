export { dewPointC, gramsPerM3, humidityAt, vapourHpa } from '@hypocaust/domain/facts'
export { type Air, type AiringAdvice, airingAdvice } from './air/exchange.ts'
export {
  type AirSample,
  followSurface,
  mouldRisk,
  type SurfaceRecord,
  surfacePcts,
  warmAgainstMouldC,
} from './air/mould.ts'
export { DAMP_PCT, surfaceC } from './air/surface.ts'
export { FLEXIBILITY_S, flexibilityOf, type RoomsOffer } from './decide/flexibility.ts'
export { isElectric } from './decide/flexible-rooms.ts'
export { GRID_SHARES_EVERY_S, gridShares, type LimitedRoom, type PowerLimit } from './decide/grid-shares.ts'
export {
  type HotWaterInput,
  type HotWaterState,
  hotWaterBusy,
  hotWaterOrder,
  stepHotWater,
} from './decide/hot-water.ts'
export { type LimitPromise, limitPromise } from './decide/limit-promise.ts'
export { type SeasonState, seasonAfter } from './decide/season.ts'
export { type StepResult, stepRoom, stepTowards } from './decide/step.ts'
export {
  type Circuit,
  SUPPLY_EVERY_S,
  type SuppliedRoom,
  type SupplyLimits,
  type SupplySetpoint,
  supplyFor,
} from './decide/supply.ts'
export { type Balance, balanceHouse, type RoomBalance } from './design/balance.ts'
export { type DesignTask, designHouse, type Estimate, type HouseDesign, type RoomLoad } from './design/house-design.ts'
export { type HouseWeek, type PairedWeeks, pairedWeeks } from './design/paired-weeks.ts'
export type { DesignedRoom } from './design/room-design.ts'
export { shareWater } from './design/share-water.ts'
export { designSupply, type Range, SPREAD_OF_QUALITY, type SupplyDesign, supplyRange } from './design/supply-design.ts'
export { type Diagnosis, diagnose, type Examination, examine, type Picture } from './diagnose/diagnose.ts'
export { EXAMINED_DAYS, type Examined } from './diagnose/weigh.ts'
export { predictAirC } from './estimate/predict.ts'
export { doingOf, type Explanation, explain } from './explain/explain.ts'
export {
  type PlannedStep,
  previewWarmUp,
  type Reach,
  type RoomOutlook,
  roomOutlook,
  roomPlan,
  type WhyNot,
} from './explain/room-outlook.ts'
export {
  type Compared,
  type CompareTask,
  type Comparison,
  compareSettings,
  type Figures,
  type PriceAt,
} from './heat/compare.ts'
export { type ExplainedSlot, explained, type KnownRoom } from './heat/explained.ts'
export { likelyHeat, type RoomShare, scaledToMeter, spreadOfAll } from './heat/house-heat.ts'
export { learnQuality, type MeteredDay, type MeteredHour, meanSupplyC } from './heat/learn-quality.ts'
export { longerNights } from './heat/longer-nights.ts'
export { type HeatHour, type RoomHeat, roomHeat } from './heat/room-heat.ts'
export { errorOfSaving, HALF_DEGREE_K, type RoomSavings, type Saving, savingBy, savingsOf } from './heat/saving.ts'
export { type Difference, type Shadow, shadowOf } from './heat/shadow.ts'
export { takenKwhM2 } from './heat/taken.ts'
export { type Replayed, type ReplayedRise, type ReplayedSlot, replayRoom } from './heat/what-if.ts'
export { FITTED_DAYS, fitRoom } from './learn/fit.ts'
export type { Opening } from './loops/answer.ts'
export {
  type Candidate,
  CERTAIN,
  type Finding,
  findRoom,
  isAnswered,
  longestOpeningMs,
  type Search,
  safeShare,
} from './loops/finder.ts'
export { copOf, efficiencyOf, type HeatSource, PRIOR_QUALITY, PRIOR_SHARE, qualityOf } from './model/efficiency.ts'
export type { Energy, Prices } from './model/heat-cost.ts'
export { LEARNED, type Learned, SPREAD as LEARNED_SPREAD, withinReason } from './model/model.ts'
export { aimAt, mouldRaiseK } from './plan/aim.ts'
export { fallbackPower } from './plan/fallback.ts'
export { type HeatPlan, type HeatProblem, planHeat } from './plan/heat-plan.ts'
export { type KnownPrices, pricesAhead } from './plan/price-outlook.ts'
export { windowOf } from './plan/pulse.ts'
export { warmAgainK } from './plan/warm-again.ts'
export { airFrom } from './room/air.ts'
export { expectedDewC, highestOf, waterAbove } from './room/expected-dew.ts'
export type { SourceEvidence } from './room/source-state.ts'
export { type RoomControl, SLOT_S, type WarmUp } from './room/state.ts'
export { strategyOf } from './room/strategy.ts'
export type {
  Aim,
  AirTemp,
  BusySpan,
  Cooling,
  Decision,
  Forecast,
  GridLimit,
  History,
  Hours,
  MouldWarming,
  RoomSettings,
  Shading,
  Slot,
  StepInput,
  Strategy,
  Supply,
  Unreached,
  Weather,
} from './room/types.ts'
export { DISINFECTED_EVERY_MS, undisinfectedSinceMs } from './tank/follow.ts'
export { usualUseKwh } from './tank/physics.ts'
export type { Charge, TankSeen, TankSettings, TankState } from './tank/types.ts'
export { sharedEvidence } from './watch/source.ts'
export { type Suspect, seemSwapped } from './watch/swapped.ts'
