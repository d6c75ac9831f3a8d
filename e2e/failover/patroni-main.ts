// npm run test:patroni -- [--rounds N] [--trial NAME]…: as test:failover, with Patroni deciding who is the primary.
import { parseArgs } from 'node:util'
import { missingForPatroni } from '@hypocaust/testing/patroni.ts'
import { beginRun } from '@hypocaust/testing/test-run.ts'
import { PATRONI_TRIALS } from './patroni-trials.ts'
import { report } from './report.ts'
import { PatroniServers } from './servers.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, trial: { type: 'string', multiple: true } },
})
const chosen = PATRONI_TRIALS.filter(({ name }) => values.trial?.some((part) => name.includes(part)) ?? true)
const rounds = Array.from({ length: Number(values.rounds) }, () => chosen)
const missing = missingForPatroni().join(' ')
await beginRun()
const areKept = await report(rounds.flat(), async () =>
  missing === '' ? await PatroniServers.start() : { missing: `apt-get install ${missing}` },
)
process.exit(areKept || missing !== '' ? 0 : 1)
