// `npm run test:install`: a release on empty machines, by the commands of docs/installation.md.
import { defineConfig } from 'vitest/config'
import whole from './vitest.config.ts'

export default defineConfig({
  test: {
    ...whole.test,
    include: ['e2e/install/*.test.ts'],
    globalSetup: [],
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
