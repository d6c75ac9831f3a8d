import type { Command } from 'commander'
import { addSettingFlags, settingsOf } from '../context.ts'
import { faultKindsOf } from '../demo/faults/kinds.ts'
import { UsageFailure } from '../failure.ts'
import { SERVE_FLAGS } from './serve.ts'

const FASTEST = 600

interface DemoFlags {
  speed: string
  faults?: string | true
  empty?: boolean
  shadow?: boolean
  faultsSeed: string
}

export function demoCommand(program: Command): void {
  addSettingFlags(program.command('demo').description('run the service with a virtual house behind it'), SERVE_FLAGS)
    .option('--speed <FACTOR>', 'run time this many times faster', '1')
    .option('--empty', 'begin without account and building; the gateway of the virtual house waits to be paired')
    .option('--shadow', 'begin with a room that another thermostat heats, after a week of only watching it')
    .option('--faults [KINDS]', 'inject faults, to test a client: all, or some of 401,429,503,delay,sensor,silence')
    .option('--faults-seed <NUMBER>', 'seed of the faults', '1')
    .action(async (flags: DemoFlags, command: Command) => {
      const speed = Number(flags.speed)
      if (!(speed >= 1 && speed <= FASTEST)) throw new UsageFailure(`--speed must be a number from 1 to ${FASTEST}`)
      const seed = Number(flags.faultsSeed)
      if (!Number.isSafeInteger(seed)) throw new UsageFailure('--faults-seed must be a whole number')
      const kinds = flags.faults === undefined ? null : faultKindsOf(flags.faults)
      if (flags.empty && kinds) throw new UsageFailure('--empty and --faults cannot be combined')
      if (flags.empty && flags.shadow) throw new UsageFailure('--empty and --shadow cannot be combined')
      const settings = settingsOf(command)
      if (flags.empty) {
        const { runEmptyDemo } = await import('../demo/empty.ts')
        return runEmptyDemo(settings, speed)
      }
      const { runDemo } = await import('../demo/run.ts')
      await runDemo(settings, { speed, kinds, seed, hasShadow: flags.shadow === true })
    })
}
