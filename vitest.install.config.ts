// `npm run test:install`: a release on empty machines, by the commands of docs/installation.md.
import { defineConfig } from 'vitest/config'
import whole from './vitest.config.ts'

export default defineConfig({
  test: {
    ...whole.test,
    include: ['e2e/install/*.test.ts'],
    globalSetup: [],
    maxWorkers: 1,
    // These end what hangs, also on a busy machine; how long each way takes is printed.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
})
