import { columns } from '../columns.ts'
import type { BalancedHouse } from './balance-house.ts'
import type { BalanceState } from './balance-round.ts'
import type { Judged, JudgedReport } from './judge.ts'

/** One line a figure, over all houses. */
export function judgedTable(houses: JudgedReport[]): string {
  const names = [...new Set(houses.flatMap((house) => Object.keys(house)))]
  const rows = names.map((name) =>
    lineOf(
      name,
      houses.flatMap((house) => house[name] ?? []),
    ),
  )
  return columns([['figure', 'number', 'mean error', 'mean size', 'worst', 'truth within range'], ...rows])
}

function lineOf(name: string, all: Judged[]): string[] {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const shown = name.startsWith('K ')
    ? (value: number) => `${value.toFixed(1)} K`
    : (value: number) => `${(100 * value).toFixed(0)} %`
  const errors = all.map(({ error }) => error)
  const sizes = errors.map(Math.abs)
  const within = all.filter(({ isWithin }) => isWithin).length
  return [
    name,
    String(all.length),
    shown(mean(errors)),
    shown(mean(sizes)),
    shown(Math.max(...sizes)),
    `${within} (${((100 * within) / all.length).toFixed(0)} %)`,
  ]
}

/** A line for each house, then how far the advice was off in each round. */
export function balanceTable(houses: BalancedHouse[]): string {
  const state = ({ supplyC, spreadK }: BalanceState) => [`${supplyC.toFixed(1)} °C`, `${spreadK.toFixed(1)} K`]
  const mean = (pick: (state: BalanceState) => number, at: number) =>
    houses.reduce((sum, { states }) => sum + pick(states[at] as BalanceState), 0) / houses.length
  const means = [0, 1, 2].map((at) => ({
    supplyC: mean(({ supplyC }) => supplyC, at),
    spreadK: mean(({ spreadK }) => spreadK, at),
  }))
  const rows = houses.map(({ seed, states }) => [String(seed), ...states.flatMap(state)])
  const head = ['house', 'supply', 'rooms apart', 'after 1', 'apart', 'after 2', 'apart']
  return [
    columns([head, ...rows, ['mean', ...means.flatMap(state)]]),
    ...[0, 1].map((at) => `\nround ${at + 1}\n${judgedTable(houses.map(({ rounds }) => rounds[at] as JudgedReport))}`),
  ].join('\n')
}
