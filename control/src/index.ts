export { aimAt } from './aim.ts'
export { airFrom } from './air.ts'
export {
  type Compared,
  type CompareTask,
  type Comparison,
  compareSettings,
  type Figures,
  type PriceAt,
} from './compare.ts'
export { copOf, efficiencyOf, type HeatSource, PRIOR_QUALITY, PRIOR_SHARE, qualityOf } from './efficiency.ts'
export { doingOf, type Explanation, explain } from './explain.ts'
export { type ExplainedSlot, explained, type KnownRoom } from './explained.ts'
export { fallbackPower } from './fallback.ts'
export { FITTED_DAYS, fitRoom } from './fit.ts'
export type { Energy, Prices } from './heat-cost.ts'
export { type HeatPlan, type HeatProblem, planHeat } from './heat-plan.ts'
export { type RoomShare, scaledToMeter } from './house-heat.ts'
export { learnQuality, type MeteredDay, type MeteredHour, meanSupplyC } from './learn-quality.ts'
export { longerNights } from './longer-nights.ts'
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
export { LEARNED, type Learned, SPREAD as LEARNED_SPREAD, withinReason } from './model.ts'
export { predictAirC } from './predict.ts'
export { type KnownPrices, pricesAhead } from './price-outlook.ts'
export { type HeatHour, type RoomHeat, roomHeat } from './room-heat.ts'
export {
  type PlannedStep,
  previewWarmUp,
  type Reach,
  type RoomOutlook,
  roomOutlook,
  type WarmUp,
  type WhyNot,
} from './room-outlook.ts'
export { errorOfSaving, HALF_DEGREE_K, type RoomSavings, type Saving, savingBy, savingsOf } from './saving.ts'
export { type Difference, type Shadow, shadowOf } from './shadow.ts'
export { sharedEvidence } from './source.ts'
export type { SourceEvidence } from './source-state.ts'
export { type RoomControl, SLOT_S } from './state.ts'
export { type StepResult, stepRoom, stepTowards } from './step.ts'
export { strategyOf } from './strategy.ts'
export { SUPPLY_EVERY_S, type SuppliedRoom, type SupplyLimits, type SupplySetpoint, supplyFor } from './supply.ts'
export type {
  Aim,
  AirTemp,
  Decision,
  Forecast,
  History,
  RoomSettings,
  Slot,
  StepInput,
  Strategy,
  Supply,
  Unreached,
  Weather,
} from './types.ts'
export { type Replayed, type ReplayedRise, type ReplayedSlot, replayRoom } from './what-if.ts'
