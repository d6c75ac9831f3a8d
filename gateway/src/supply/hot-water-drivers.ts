import type { HotWaterOrder } from '@hypocaust/domain'

export const HOT_WATER_DRIVERS = ['mqtt', 'otgw', 'ems-esp', 'ebusd', 'heishamon'] as const
export type HotWaterDriver = (typeof HOT_WATER_DRIVERS)[number]

interface Kind {
  /** After the topic of the file. */
  suffix: string
  on: string
  off: string
}

const SWITCH: Kind = { suffix: '', on: 'ON', off: 'OFF' }

/** Each begins a charge that the source ends by itself, at its own temperature. Null where the device takes no such order. */
export const HOT_WATER_KINDS: Record<HotWaterDriver, Record<HotWaterOrder, Kind | null>> = {
  mqtt: { charge: SWITCH, disinfect: SWITCH },
  otgw: { charge: { suffix: '/hotwater', on: 'P', off: 'A' }, disinfect: null },
  'ems-esp': {
    charge: { suffix: '/boiler/dhw/onetime', on: 'on', off: 'off' },
    disinfect: { suffix: '/boiler/dhw/disinfecting', on: 'on', off: 'off' },
  },
  ebusd: { charge: { suffix: '/set', on: 'load', off: 'auto' }, disinfect: null },
  heishamon: {
    charge: { suffix: '/commands/SetForceDHW', on: '1', off: '0' },
    disinfect: { suffix: '/commands/SetForceSterilization', on: '1', off: '0' },
  },
}
