// npm run bench:ingest -- [--seconds N] [--rounds N]: what a message costs with one, two and three processes that ingest.
import { parseArgs } from 'node:util'
import { beginRun } from '@hypocaust/testing/test-run.ts'
import { costOf, type IngestRound, measureIngest } from './ingest.ts'
import { startPostgres } from './processes.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '8' }, rounds: { type: 'string', default: '2' } },
})
await beginRun('disk')
const postgres = await startPostgres()
try {
  const { rounds } = await measureIngest(
    { postgres, roundS: Number(values.seconds), rounds: Number(values.rounds) },
    () => {},
  )
  console.log('| processes | readings/s | µs a message: service | database | broker | against one process |')
  console.log('| --- | --- | --- | --- | --- | --- |')
  const one = meanOf(
    rounds.filter(({ processes }) => processes === 1),
    costOf,
  )
  for (const [processes, some] of Map.groupBy(rounds, (round) => round.processes)) {
    const figures = [
      meanOf(some, ({ readingsPerS }) => readingsPerS),
      meanOf(some, ({ serviceUsPerMessage }) => serviceUsPerMessage),
      meanOf(some, ({ databaseUsPerMessage }) => databaseUsPerMessage),
      meanOf(some, ({ brokerUsPerMessage }) => brokerUsPerMessage),
    ].map((figure) => figure.toFixed(0))
    console.log(`| ${[processes, ...figures, (meanOf(some, costOf) / one).toFixed(2)].join(' | ')} |`)
  }
} finally {
  await postgres.stop()
}

function meanOf(rounds: IngestRound[], figure: (round: IngestRound) => number): number {
  return rounds.reduce((sum, round) => sum + figure(round), 0) / rounds.length
}
