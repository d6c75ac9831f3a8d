// Facts and rules without the schema library, so that the website can import them.
export * from './fallback.ts'
export * from './floors.ts'
export * from './limits.ts'
export * from './need.ts'
export * from './programme.ts'
export * from './roles.ts'
export * from './steering.ts'
export * from './time.ts'
