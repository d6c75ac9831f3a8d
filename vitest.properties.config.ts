// `npm run test:properties`: the property tests with their full number of random cases.
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import whole from './vitest.config.ts'

const hasProperties = (file: string) =>
  readFileSync(resolve(import.meta.dirname, file), 'utf8').includes("from '@hypocaust/testing/runs.ts'")

export default defineConfig({
  test: {
    ...whole.test,
    include: globSync('*/test/**/*.test.ts', { cwd: import.meta.dirname }).filter(hasProperties),
    exclude: configDefaults.exclude,
  },
})
