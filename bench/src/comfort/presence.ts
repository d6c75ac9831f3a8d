import { warmAgainK } from '@hypocaust/control'
import { PRESENCE_RULE, programmeOfNight, type ScheduleInputs, setpointAt } from '@hypocaust/domain'
import { HOUR_S } from '@hypocaust/domain/facts'
import { BuiltInPlant } from './built-in-plant.ts'
import { oursFor } from './compare.ts'
import { household, isAnybodyHome, Reports } from './household.ts'
import { Ours } from './ours.ts'
import type { PlantChoice } from './plant.ts'
import { STEP_S, type View } from './run.ts'
import { DAY_S } from './scenarios.ts'
import { worldOf } from './world.ts'

export type PresenceJob = { choice: PlantChoice; days: number }

/** Of the scored days of a house: with a programme alone, and with who is home beside it. */
export type PresenceResult = { choice: PlantChoice; scoredDays: number; alone: Lived; withPresence: Lived }

type Lived = {
  kwhM2: number
  /** Below the setpoint less half a degree, in the hours after somebody has come, and at all times that anybody is home. */
  returnKh: number
  homeKh: number
  returns: number
  /** Times that the rooms were lowered although somebody was home. */
  wrongSetbacks: number
}

const LEARNED_DAYS = 7
const RETURN_S = 4 * HOUR_S
const BAND_K = 0.5
const NIGHT = { from: '22:30', to: '06:00', setback: 2 }
const WORKED_OUT_EVERY_S = 1800

export const runPresence = ({ choice, days }: PresenceJob): PresenceResult => ({
  choice,
  scoredDays: days - LEARNED_DAYS,
  alone: live(choice, days, false),
  withPresence: live(choice, days, true),
})

function live(choice: PlantChoice, days: number, followsPresence: boolean): Lived {
  const world = worldOf(choice, { name: 'presence', season: 'winter' })
  const plant = new BuiltInPlant(world)
  const people = household(choice.seed, days)
  const reports = new Reports(people, world.startMs)
  const ours = new Ours(oursFor({ ...choice, scenario: 'winter' }, true, 'hold'))
  const lived: Lived = { kwhM2: 0, returnKh: 0, homeKh: 0, returns: 0, wrongSetbacks: 0 }
  let mostK: number | null = null
  let inputs = programmeInputs(null)
  let sensorC: number | null = null
  let [wasHome, wasLowered, cameS] = [true, false, Number.NEGATIVE_INFINITY]
  const shown: View['plant'] = {
    weather: (nowS, horizonS) => plant.weather(nowS, horizonS),
    setpoint: (nowS, knownS) => plant.setpoint(nowS, knownS),
    scheduleInputs: () => inputs,
  }
  let stored = 0
  for (let nowS = 0; nowS < days * DAY_S; nowS += STEP_S) {
    if (followsPresence && nowS % WORKED_OUT_EVERY_S === 0 && ours.state && ours.input)
      mostK = warmAgainK(ours.state, ours.input, PRESENCE_RULE.usual.warm_again_hours * HOUR_S)
    inputs = programmeInputs(followsPresence ? reports.vacancyAt(nowS, mostK) : null)
    const open = ours.step({ nowS, sensorC, plant: shown })
    const step = plant.advance({ dtS: STEP_S, open })
    sensorC = step.sensorC
    const nowMs = world.startMs + nowS * 1000
    const isHome = isAnybodyHome(people, nowS)
    const isLowered = setpointAt(inputs, nowMs).reason === 'presence'
    if (isHome && !wasHome) cameS = nowS
    if (nowS === LEARNED_DAYS * DAY_S) stored = step.storedWhM2
    if (nowS >= LEARNED_DAYS * DAY_S) {
      const wishedC = setpointAt(programmeInputs(null), nowMs).setpointC
      const lowKh = isHome ? (Math.max(0, wishedC - BAND_K - step.scoredC) * STEP_S) / HOUR_S : 0
      lived.kwhM2 += step.heatWhM2 / 1000
      lived.homeKh += lowKh
      lived.returnKh += nowS - cameS < RETURN_S ? lowKh : 0
      lived.returns += isHome && !wasHome ? 1 : 0
      lived.wrongSetbacks += isLowered && isHome && !(wasLowered && wasHome) && nowS - cameS > 600 ? 1 : 0
    }
    if (nowS + STEP_S >= days * DAY_S) lived.kwhM2 -= (step.storedWhM2 - stored) / 1000
    wasHome = isHome
    wasLowered = isLowered
  }
  return lived
}

const programmeInputs = (vacancy: ScheduleInputs['vacancy']): ScheduleInputs => ({
  targetC: 21,
  steering: { kind: 'automatic' },
  programme: PROGRAMME,
  override: null,
  away: null,
  ...(vacancy && { vacancy }),
  timeZone: 'UTC',
})

const PROGRAMME = programmeOfNight(NIGHT)

/** One row a floor, and all of them. */
export function presenceTable(results: PresenceResult[]): string {
  const head = ['presence', 'heat saved', 'K·h at return', 'of programme', 'K·h home', 'of programme', 'wrong setbacks']
  const rowOf = (name: string, some: PresenceResult[]) => {
    const sum = (value: (result: PresenceResult) => number) => some.reduce((all, each) => all + value(each), 0)
    const weeks = sum(({ scoredDays }) => scoredDays) / 7
    const saved = 1 - sum(({ withPresence }) => withPresence.kwhM2) / sum(({ alone }) => alone.kwhM2)
    const returns = sum(({ withPresence }) => withPresence.returns)
    return [
      name,
      `${(100 * saved).toFixed(1)} %`,
      `${(sum(({ withPresence }) => withPresence.returnKh) / returns).toFixed(2)} each`,
      (sum(({ alone }) => alone.returnKh) / returns).toFixed(2),
      `${(sum(({ withPresence }) => withPresence.homeKh) / weeks).toFixed(2)} a week`,
      (sum(({ alone }) => alone.homeKh) / weeks).toFixed(2),
      `${((sum(({ withPresence }) => withPresence.wrongSetbacks) / weeks) * (30.4 / 7)).toFixed(1)} a month`,
    ]
  }
  const floors = Map.groupBy(results, ({ choice }) => choice.floorType)
  const rows = [...floors].map(([floor, some]) => rowOf(floor, some))
  const all = rowOf('all', results)
  return [
    'Two people, generated: programme with night mode, and the same with who is home (30 min, 17°, warm again within 3 h)',
    ...[head, ...rows, all].map((cells) => cells.map((cell) => cell.padEnd(15)).join('')),
  ].join('\n')
}
