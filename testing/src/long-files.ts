/**
 * How the file of a trial ends: kills, races and faults, whole weeks, the benchmarks and the release. `npm run test:long`
 * runs these, `npm test` the others.
 */
export const LONG = '.long.test.ts'
