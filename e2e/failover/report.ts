import { type Kind, missed, type Row, runTrial, type Trial } from './run.ts'
import type { Servers } from './servers.ts'

/** Tries one after the other and prints a row of each; true if every one that could be tried kept its limits. */
export async function report<S extends Servers, T extends Trial<S>>(
  trials: T[],
  start: (trial: T) => Promise<S | { missing: string }>,
): Promise<boolean> {
  console.log(
    '| trial | acknowledged | lost | duplicated | s without reads | writes | readings | reads 503 | writes 503 | unanswered |',
  )
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |')
  const notes: string[] = []
  let tried = 0
  for (const trial of trials) {
    try {
      const servers = await start(trial)
      if ('missing' in servers) {
        console.log(`SKIPPED ${trial.name}: ${servers.missing}`)
        continue
      }
      const row = await runTrial(trial, servers)
      tried++
      console.log(lineOf(row))
      notes.push(...faultsOf(row).map((fault) => `${trial.name}: ${fault}`))
    } catch (error) {
      notes.push(`${trial.name}: ${(error as Error).message}`)
    }
  }
  for (const note of notes) console.log(note)
  return tried > 0 && notes.length === 0
}

const faultsOf = (row: Row): string[] => [
  ...row.lost.map((one) => `lost ${one}`),
  ...row.duplicated.map((one) => `twice ${one}`),
  ...row.complaints,
  ...missed(row),
]

function lineOf({ trial, changes, readings, lost, duplicated, withoutS, afterPromotionS, ...seen }: Row): string {
  const seconds = (kind: Kind) =>
    withoutS[kind].toFixed(1) + (afterPromotionS ? ` (${afterPromotionS[kind].toFixed(1)} after the promotion)` : '')
  const { refused, unanswered } = seen
  const cells = [
    trial.name,
    `${changes} PATCH, ${readings} readings`,
    lost.length,
    duplicated.length,
    ...(['reads', 'writes', 'readings'] as const).map(seconds),
    refused.reads,
    refused.writes,
    unanswered.reads + unanswered.writes,
  ]
  return `| ${cells.join(' | ')} |`
}
