import { createLogger } from '../../service/src/base/logger.ts'
import { createMetrics } from '../../service/src/base/metrics.ts'
import { type Commands, Heating } from '../../service/src/house/heating/heating.ts'
import type { Store } from '../../service/src/store/store.ts'
import type { World } from './world.ts'

export const NO_COMMANDS: Commands = { along: () => undefined, update: async () => {} }

/** The heating control of a world, without gateways to command. */
export const heatingOf = (world: World, store: Store = world.store): Heating =>
  new Heating({
    store,
    clock: world.clock,
    metrics: createMetrics(),
    logger: createLogger('silent'),
    availability: { silentAfterS: 300 },
    commands: NO_COMMANDS,
    onControlled: () => {},
  })
