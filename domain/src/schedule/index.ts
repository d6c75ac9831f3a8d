export * from './local-time.ts'
export * from './schedule.ts'
export * from './types.ts'
