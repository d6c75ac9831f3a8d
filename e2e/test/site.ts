import { describe } from 'vitest'
import { executablePath } from './stage.ts'

export * from './stage.ts'

/** Skipped visibly without a browser; where nothing may be missing it fails instead. */
export const describeInBrowser = describe.skipIf(executablePath === undefined && process.env.CI !== 'true')
