export const SUPPLY_DRIVERS = ['mqtt', 'otgw', 'ems-esp', 'ebusd'] as const
export type SupplyDriver = (typeof SUPPLY_DRIVERS)[number]

interface Kind {
  /** After the topic of the file. */
  suffix: string
  /** What the device takes, in kelvins. */
  stepK: number
  /** OpenTherm gateways and EMS boilers go back to their own value about a minute after the last one. */
  repeatMs: number
}

export const SUPPLY_KINDS: Record<SupplyDriver, Kind> = {
  mqtt: { suffix: '', stepK: 0.5, repeatMs: 60_000 },
  otgw: { suffix: '/ctrlsetpt', stepK: 0.5, repeatMs: 30_000 },
  'ems-esp': { suffix: '/boiler/selflowtemp', stepK: 1, repeatMs: 30_000 },
  ebusd: { suffix: '/set', stepK: 0.5, repeatMs: 60_000 },
}
