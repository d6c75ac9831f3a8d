// `npm run test:unit`: the tests without servers, processes and browsers.
import { defineConfig } from 'vitest/config'
import { unitFiles } from './testing/src/unit-files.ts'
import whole from './vitest.config.ts'

export default defineConfig({
  test: {
    ...whole.test,
    include: unitFiles(),
    setupFiles: ['testing/src/setup.ts', 'testing/src/no-servers.ts'],
    globalSetup: ['test-run', 'compile-cache', 'no-postgres'].map((name) => `testing/src/${name}.ts`),
  },
})
