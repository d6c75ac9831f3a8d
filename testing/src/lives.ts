/** How often a process is killed in one test. `npm run test:killed` kills each twenty times. */
export const LIVES = Number(process.env.KILLED_LIVES ?? 3)
