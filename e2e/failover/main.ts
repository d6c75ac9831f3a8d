// npm run test:failover -- [--trial NAME]…: the whole system with a standby, proxy and two processes of each role, and
// what owners and gateways notice when a part of it fails. Trials need the machine to themselves: seconds are measured.
import { parseArgs } from 'node:util'
import { beginRun } from '@hypocaust/testing/test-run.ts'
import { report } from './report.ts'
import { PairServers } from './servers.ts'
import { TRIALS } from './trials.ts'

const { values } = parseArgs({ options: { trial: { type: 'string', multiple: true } } })
const chosen = TRIALS.filter(({ name }) => values.trial?.some((part) => name.includes(part)) ?? true)
await beginRun()
const areKept = await report(chosen, async ({ onOwnDisk }) => {
  const servers = await PairServers.start(onOwnDisk)
  if (!onOwnDisk || servers.disk) return servers
  await servers.stop()
  return { missing: 'no file system may be mounted here' }
})
process.exit(areKept ? 0 : 1)
