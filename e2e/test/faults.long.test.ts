import { withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { expect, inject, test } from 'vitest'
import { printed, runFaults } from '../faults/run.ts'
import type { Engine } from '../faults/stage.ts'

/** The short form: npm run test:faults strikes all kinds, hundreds of times. */
const SEED = 1
const KINDS: Record<Engine, string[]> = {
  sqlite: ['kill -9 of the service', 'network lost between gateways and service', 'disk of the service full'],
  postgres: ['broker accepts and then hangs', 'kill -9 of PostgreSQL'],
}

const engines = Object.keys(KINDS) as Engine[]
test.skipIf(withoutMosquitto()).each(engines)(
  'on %s, whatever strikes: nothing acknowledged is lost, and nothing is stored twice',
  {
    timeout: 600_000,
  },
  async (engine) => {
    if (engine === 'postgres' && inject('postgresUrl') === '') return
    const kinds = KINDS[engine]
    const report = await runFaults({ engine, seed: SEED, faults: kinds.length, kinds, minutes: 5 })
    console.log(printed(report))
    expect(report.patches).toBeGreaterThan(0)
    expect(report.readings).toBeGreaterThan(0)
    expect({ lost: report.lost, duplicated: report.duplicated }).toEqual({ lost: 0, duplicated: 0 })
    expect(report.complaints).toEqual([])
  },
)
