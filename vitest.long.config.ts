// `npm run test:long`: the trials that `npm test` leaves out.
import { configDefaults, defineConfig } from 'vitest/config'
import { LONG } from './testing/src/long-files.ts'
import whole from './vitest.config.ts'

export default defineConfig({
  test: {
    ...whole.test,
    include: [`*/test/**/*${LONG}`],
    exclude: configDefaults.exclude,
  },
})
