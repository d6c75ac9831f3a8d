import { LEARNED_SPREAD } from '@hypocaust/control'
import { BuiltInPlant } from './built-in-plant.ts'
import { oursFor } from './compare.ts'
import { Ours } from './ours.ts'
import { AS_SHIPPED, createPeer, PEERS } from './peers.ts'
import { perfectScore } from './perfect.ts'
import type { PlantChoice } from './plant.ts'
import { run, type Stretch } from './run.ts'
import { DAY_S } from './scenarios.ts'
import type { Score } from './score.ts'
import { createWorld } from './world.ts'

export type SeasonJob = { choice: PlantChoice; days: number }

/** How a room does on its first day, its seventh and its thirtieth, and where its parameters wander in a season. */
export type SeasonResult = {
  choice: PlantChoice
  days: { name: string; ours: Score; bestPeer: Score; perfect: Score }[]
  /** The furthest any parameter was from its prior, in prior spreads; and the widest range of one in the second half. */
  furthest: number
  lateRange: number
}

const DAYS = [1, 7, 30]

export function runSeason({ choice, days }: SeasonJob): SeasonResult {
  const world = createWorld(choice)
  const plant = new BuiltInPlant(world)
  const ours = new Ours(oursFor(choice, true, 'saving'))
  const stretches = DAYS.filter((day) => day <= days).map(
    (day): Stretch => ({ name: `day ${day}`, fromS: (day - 1) * DAY_S, toS: day * DAY_S }),
  )
  const starts = new Map<number, typeof plant.state>()
  const learned: number[][] = []
  const watched = {
    step(view: Parameters<Ours['step']>[0]) {
      if (view.nowS % DAY_S === 0) {
        starts.set(view.nowS, { ...plant.state })
        if (ours.state) learned.push(ours.state.learned.map((value, i) => value / (LEARNED_SPREAD[i] ?? 1)))
      }
      return ours.step(view)
    },
  }
  const whole: Stretch = { name: 'season', fromS: 0, toS: days * DAY_S }
  const mine = run(plant, watched, [...stretches, whole]).scores
  const theirs = PEERS.map(
    (name) => run(new BuiltInPlant(world), createPeer(name, choice.floorType, AS_SHIPPED), stretches).scores,
  )
  return {
    choice,
    days: stretches.map((stretch) => ({
      name: stretch.name,
      ours: mine.get(stretch.name) as Score,
      bestPeer: theirs
        .map((scores) => scores.get(stretch.name) as Score)
        .reduce((best, score) => (score.j < best.j ? score : best)),
      perfect: perfectScore(world, starts.get(stretch.fromS) ?? plant.state, stretch).score,
    })),
    furthest: Math.max(...learned.flat().map(Math.abs)),
    lateRange: widestRange(learned.slice(Math.floor(learned.length / 2))),
  }
}

function widestRange(rows: number[][]): number {
  const columns = rows[0]?.map((_, i) => rows.map((row) => row[i] ?? 0)) ?? []
  return Math.max(0, ...columns.map((column) => Math.max(...column) - Math.min(...column)))
}
