import { HOT_WATER_ORDERS } from '@hypocaust/domain'
import type { HotWaterSettings } from '../supply/hot-water.ts'
import { HOT_WATER_KINDS } from '../supply/hot-water-drivers.ts'
import type { Fault } from './fault.ts'
import type { GatewayFile } from './schema.ts'
import type { FileContact, FileHotWater, FileHotWaterOrder } from './source-schema.ts'
import { valueSourceOf } from './supply.ts'

type Written = GatewayFile['hot_water']

/** Before there were tanks, `hot_water` was the contact alone, and still may be. */
const isTank = (file: Written): file is FileHotWater => file !== undefined && !Array.isArray(file) && !('topic' in file)

/** Where the source says that it makes hot water. */
export const busyContactsOf = (file: Written): FileContact | FileContact[] | undefined =>
  isTank(file) ? file.busy : file

/** Null where nothing of the tank is known, and nothing can be asked for. */
export function hotWaterOf(file: Written): HotWaterSettings | null {
  if (!isTank(file)) return null
  const orders = HOT_WATER_ORDERS.flatMap((order) => {
    const written = file[order]
    const kind = written && HOT_WATER_KINDS[written.driver][order]
    return kind ? [[order, outputOf(written, kind)] as const] : []
  })
  return { tank: file.tank ? valueSourceOf(file.tank) : null, orders: Object.fromEntries(orders) }
}

const outputOf = ({ topic, on, off }: FileHotWaterOrder, kind: { suffix: string; on: string; off: string }) => ({
  topic: `${topic}${kind.suffix}`,
  on: on ?? kind.on,
  off: off ?? kind.off,
})

export function hotWaterFaults({ hot_water: file }: GatewayFile): Fault[] {
  if (!isTank(file)) return []
  const at = (path: string[], message: string): Fault => ({ path: ['hot_water', ...path], message })
  const { tank } = file
  if (Object.keys(file).length === 0) return [at([], 'needs busy, tank, charge or disinfect')]
  const ofTank =
    tank && (tank.sensor === undefined) === (tank.topic === undefined)
      ? [at(['tank'], 'needs either sensor or topic')]
      : []
  const ofOrders = HOT_WATER_ORDERS.flatMap((order) => {
    const written = file[order]
    if (!written || HOT_WATER_KINDS[written.driver][order]) return []
    return [at([order, 'driver'], `${written.driver} takes no order to ${order}; use mqtt with a topic of your own`)]
  })
  const alone = file.disinfect && !file.charge ? [at(['disinfect'], 'needs charge beside it')] : []
  return [...ofTank, ...ofOrders, ...alone]
}
