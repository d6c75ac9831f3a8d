import type { Aim } from './result.ts'

const more = (poor: number, goal: number): Aim => ({ poor, goal, better: 'more' })
const less = (poor: number, goal: number): Aim => ({ poor, goal, better: 'less' })

/** Processor time by ratios where there is something to compare with, so that they hold on other machines too. */
export const AIMS = {
  poll: more(0.45, 0.75),
  notModified: more(0.45, 0.9),
  homeAssistant: more(2.5, 4),
  patchRate: more(0.7, 1),
  reading: less(120, 40),
  tick: less(150, 60),
  plan: less(2.5, 1),
  patchControl: less(4, 2),
  minuteSqlite: less(2.5, 1),
  minutePostgres: less(3.5, 2),
  minuteDatabase: less(2.5, 1.5),
  start: less(15, 8),
  serviceMb: less(130, 100),
  agentMb: less(90, 60),
} as const

/** Home Assistant's `/api/states` with eight entities: 3,500 a second where bare node:http does 19,000. */
export const HOME_ASSISTANT_OF_BARE = 3500 / 19_000
