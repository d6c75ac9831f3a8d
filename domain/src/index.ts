export * from './air.ts'
export * from './app/index.ts'
export * from './building.ts'
export * from './changes.ts'
export * from './control.ts'
export * from './energy.ts'
export * from './errors.ts'
export * from './facts/air.ts'
export * from './facts/codes.ts'
export * from './facts/currency.ts'
export * from './facts/doing.ts'
export * from './facts/energy.ts'
export * from './facts/fallback.ts'
export * from './facts/feelings.ts'
export * from './facts/languages.ts'
export * from './facts/limits.ts'
export * from './facts/message.ts'
export {
  minuteOf,
  type ProgrammeDate,
  type ProgrammeProblem,
  type ProgrammeStep,
  programmeOfNight,
  programmeProblems,
  WEEKDAYS,
  type Weekday,
} from './facts/programme.ts'
export * from './facts/roles.ts'
export * from './facts/steering.ts'
export * from './facts/time.ts'
export * from './facts/webhooks.ts'
export * from './floor.ts'
export * from './gateway.ts'
export * from './heat.ts'
export * from './house-file.ts'
export * from './key.ts'
export * from './log.ts'
export * from './names.ts'
export * from './outlook.ts'
export * from './patterns.ts'
export * from './programme.ts'
export * from './proposal.ts'
export * from './room.ts'
export * from './room-history.ts'
export * from './room-icon.ts'
export * from './room-settings.ts'
export * from './schedule/index.ts'
export * from './schema.ts'
export * from './sensor.ts'
