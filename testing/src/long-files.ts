/**
 * How the file of a trial ends: kills, races and faults, simulated days and weeks, pages in a browser, routes by every
 * role, the benchmarks, a release and the ways to install one. `npm run test:long` runs these, `npm test` the others.
 */
export const LONG = '.long.test.ts'
