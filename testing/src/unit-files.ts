import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { LONG } from './long-files.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** A test that has one of these starts a server, a process or a browser. */
const STARTS =
  /from '(node:(child_process|http|https|net|dgram)|mqtt|pg|playwright-core|@hypocaust\/testing\/(agent-process|alert-stage|client|command|mail-server|mosquitto|mqtt-world|party|ports|postgres-server|provider-server|push-service|webhook-receiver)\.ts|\.\.\/src\/main\.ts)'|\.listen\(/

/** Test files of one process that talk to nobody: the fast ones, for every change. */
export const unitFiles = (): string[] =>
  globSync('{domain,control,simulator,matter,web,gateway,service,scripts}/test/**/*.test.ts', { cwd: ROOT }).filter(
    (file) => !file.endsWith(LONG) && !STARTS.test(readFileSync(resolve(ROOT, file), 'utf8')),
  )
