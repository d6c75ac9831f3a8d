import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')

/** A test that has one of these starts a server, a process or a browser. */
const STARTS =
  /from '(node:(child_process|http|https|net|dgram)|mqtt|pg|playwright-core|@hypocaust\/testing\/(agent-process|alert-stage|client|command|mail-server|mosquitto|mqtt-world|party|ports|postgres-server|provider-server|push-service)\.ts|\.\.\/src\/main\.ts)'|\.listen\(/

/** Each of these computes for longer than ten seconds; `npm test` runs them. */
const LONG = ['control/test/energy.test.ts', 'control/test/source.test.ts', 'service/test/races.test.ts']

/** Test files of one process that talk to nobody: the fast ones, for every change. */
export const unitFiles = (): string[] =>
  globSync('{domain,control,simulator,matter,web,gateway,service,scripts}/test/**/*.test.ts', { cwd: ROOT }).filter(
    (file) => !LONG.includes(file) && !STARTS.test(readFileSync(resolve(ROOT, file), 'utf8')),
  )
