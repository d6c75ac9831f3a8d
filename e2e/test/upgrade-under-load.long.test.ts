import { join } from 'node:path'
import { type Running, start } from '@hypocaust/testing/command.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { type Mosquitto, startMosquitto, withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyOf, RELEASES, type ReleaseCopy } from '../releases/copy.ts'
import { Traffic } from '../releases/traffic.ts'

/** Ten changes and twenty messages a second, and as much as the machine carries. */
const PAUSES_MS = [100, 0]
/** `npm run test:upgrade` tries each case twenty times. */
const ROUNDS = Number(process.env.UPGRADE_ROUNDS ?? 1)
const FIRST_ROLES = ['api', 'ingest'] as const

const without = withoutMosquitto() || !ENGINES.includes('postgres')

describe.skipIf(without)('while processes of release', () => {
  let mosquitto: Mosquitto
  beforeAll(async () => {
    mosquitto = await startMosquitto()
  })
  afterAll(() => mosquitto.stop())

  const startRole = (role: string, { folder, databaseUrl = '' }: ReleaseCopy): Promise<Running> => {
    const flags = ['--role', role, '--data', join(folder, role), '--port', '0', '--log-level', 'error']
    const env = {
      HYPOCAUST_DATABASE_URL: databaseUrl,
      HYPOCAUST_MQTT_URL: mosquitto.url,
      HYPOCAUST_AUTH_SECRET: 'a secret that all processes of this test share',
    }
    return start(folder, ['serve', ...flags], env)
  }

  const cases = RELEASES.flatMap((release) =>
    FIRST_ROLES.flatMap((first) =>
      PAUSES_MS.flatMap((pauseMs) =>
        Array.from({ length: ROUNDS }, (_, i) => ({ release, first, pauseMs, round: i + 1 })),
      ),
    ),
  )

  test.each(cases)(
    '$release go on with pauses of $pauseMs ms, a new $first process migrates and the others follow (round $round)',
    async ({ release, first, pauseMs, round }) => {
      const copy = await copyOf(release, 'postgres')
      const traffic = new Traffic(copy.databaseUrl as string, pauseMs)
      await eventually(() => traffic.patched > 10)
      const running: Running[] = []
      for (const role of [first, ...FIRST_ROLES]) running.push(await startRole(role, copy))
      const { patched } = traffic
      await eventually(() => traffic.patched > patched + 10)
      await traffic.stop()
      for (const each of running) expect(await each.end('SIGTERM')).toBe(0)
      expect(traffic.failures).toEqual([])
      const { failures, deadlocks, longestPauseMs } = traffic
      console.log(
        `${release}, ${first} first, pauses of ${pauseMs} ms, round ${round}: ${traffic.perSecond('patch')} changes and ${traffic.perSecond('reading')} messages a second, ${failures.length} failures, ${deadlocks} deadlocks, longest pause of an owner ${Math.round(longestPauseMs)} ms`,
      )
      await copy.remove()
    },
  )
})
