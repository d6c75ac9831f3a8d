import { type Machine, thisMachine } from '../load/result.ts'
import type { Figure } from './rounds.ts'

export { type Machine, thisMachine }

/** What is aimed for: a figure beyond `poor` is not done, one at `goal` is. */
export interface Aim {
  poor: number
  goal: number
  /** Which way is better. */
  better: 'more' | 'less'
}

export interface Row {
  id: string
  name: string
  unit: '×' | 'µs' | 'ms' | 'MB' | '/s' | ''
  figure: Figure
  aim?: Aim
}

export interface SpeedResult {
  measuredAt: string
  tookS: number
  quick: boolean
  machine: Machine
  rows: Row[]
  missing: string[]
}

/** Nearer to bad than half way from good: what a short run in CI fails at. */
export const isFarBelow = ({ figure, aim }: Row): boolean => {
  if (!aim) return false
  return aim.better === 'more' ? figure.median < aim.poor / 2 : figure.median > aim.poor * 2
}

export const verdictOf = ({ figure, aim }: Row): 'goal' | 'on the way' | 'not done' | '' => {
  if (!aim) return ''
  const reaches = (value: number) => (aim.better === 'more' ? figure.median >= value : figure.median <= value)
  if (reaches(aim.goal)) return 'goal'
  return reaches(aim.poor) ? 'on the way' : 'not done'
}
