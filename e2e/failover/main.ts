// npm run test:failover -- [--trial NAME]…: the whole system with a standby, proxy and two processes of each role, and
// what owners and gateways notice when a part of it fails. Trials need the machine to themselves: seconds are measured.
import { parseArgs } from 'node:util'
import { beginRun } from '@hypocaust/testing/test-run.ts'
import { type Kind, missed, type Row, runTrial } from './run.ts'
import { TRIALS } from './trials.ts'

const { values } = parseArgs({ options: { trial: { type: 'string', multiple: true } } })
const chosen = TRIALS.filter(({ name }) => values.trial?.some((part) => name.includes(part)) ?? true)
await beginRun()
const rows: Row[] = []
const notes: string[] = []
for (const trial of chosen) {
  const result = await runTrial(trial).catch((error: Error) => {
    notes.push(`${trial.name}: ${error.message}`)
    return undefined
  })
  if (result === undefined) continue
  if ('missing' in result) notes.push(`SKIPPED ${trial.name}: ${result.missing}`)
  else {
    rows.push(result)
    const { lost, duplicated, complaints } = result
    for (const each of [...lost.map((one) => `lost ${one}`), ...duplicated.map((one) => `twice ${one}`), ...complaints])
      notes.push(`${trial.name}: ${each}`)
    for (const each of missed(result)) notes.push(`${trial.name}: ${each}`)
  }
}
console.log(
  [
    '| trial | acknowledged | lost | duplicated | s without reads | writes | readings | reads 503 | writes 503 | unanswered |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(lineOf),
    ...notes,
  ].join('\n'),
)
process.exit(rows.length > 0 && notes.every((note) => note.startsWith('SKIPPED')) ? 0 : 1)

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
