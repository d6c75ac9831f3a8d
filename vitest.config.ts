import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['*/test/**/*.test.ts'],
    setupFiles: ['scripts/test-setup.ts'],
    globalSetup: ['service/test/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
