import { defineConfig } from 'vitest/config'

/** The main paths of the website in every engine: npm run test:browsers. */
export default defineConfig({
  test: {
    include: ['e2e/browsers/*.test.ts'],
    setupFiles: ['testing/src/setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
