/**
 * How the file of a trial ends: kills, races and faults, simulated days and weeks, the benchmarks, a release and the ways
 * to install one. `npm run test:long` runs these, `npm test` the others.
 */
export const LONG = '.long.test.ts'
