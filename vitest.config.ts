import { configDefaults, defineConfig } from 'vitest/config'
import { LONG } from './testing/src/long-files.ts'
import { PATIENCE_MS } from './testing/src/patience.ts'
import { SlowFirst } from './testing/src/slow-first.ts'

export default defineConfig({
  test: {
    include: ['*/test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, `**/*${LONG}`],
    setupFiles: ['testing/src/setup.ts'],
    globalSetup: ['test-run', 'postgres-server', 'bundle', 'compile-cache'].map((name) => `testing/src/${name}.ts`),
    // Loading the libraries anew for every file would take longer than the tests; none leaves anything behind.
    isolate: false,
    // Node imports our sources as they are. Run by Vite, every use of an imported name would be the call of a getter.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Much of a test is waiting for processes and brokers: two cores can serve five.
    maxWorkers: 5,
    sequence: { sequencer: SlowFirst },
    // No test waits in vain: what may last longer on a busy machine is given the time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
})
