/** How the file of a trial ends: races, kills, faults, whole weeks. `npm run test:long` runs these, `npm test` the others. */
export const LONG = '.long.test.ts'
