import type { Circuit, SupplySetpoint } from '@hypocaust/control'
import type { SourceCircuit, SourceCommand, SourceReport } from '@hypocaust/domain'

interface Reporting {
  gatewayId: string
  sourceReport: string | null
}

export const circuitsOf = ({ sourceReport }: Pick<Reporting, 'sourceReport'>): SourceCircuit[] =>
  sourceReport === null ? [] : ((JSON.parse(sourceReport) as SourceReport).circuits ?? [])

const idOf = (gatewayId: string, { channels }: SourceCircuit): string => `${gatewayId} ${channels.join(',')}`

/** The mixer whose water all loops of a room get; null where that is the water of the source, or of several mixers. */
export function circuitOfRoom(valves: readonly (Reporting & { channel: number })[]): RoomCircuit | null {
  const circuits = valves.map((valve) => {
    const own = circuitsOf(valve).find(({ channels }) => channels.includes(valve.channel))
    return own ? { id: idOf(valve.gatewayId, own), own } : null
  })
  const [first] = circuits
  if (!first || circuits.some((circuit) => circuit?.id !== first.id)) return null
  const { min_c, max_c, supply_set_c } = first.own
  return { id: first.id, leastC: min_c, mostC: max_c, setC: supply_set_c ?? null }
}

/** `setC`: what its mixer was last asked for. */
type RoomCircuit = Circuit & { setC: number | null }

/** Each mixer with the rooms behind it: what they ask for, and what it was last asked for. */
export function circuitsNow(
  valves: readonly (Reporting & { roomId: string; channel: number })[],
  setpoint: SupplySetpoint | null,
) {
  const rooms = Map.groupBy(valves, ({ roomId }) => roomId)
  const behind = [...rooms].flatMap(([roomId, own]) => {
    const circuit = circuitOfRoom(own)
    return circuit ? [{ roomId, circuit }] : []
  })
  return [...Map.groupBy(behind, ({ circuit }) => circuit.id)].map(([id, each]) => ({
    roomIds: each.map(({ roomId }) => roomId),
    wanted: setpoint?.circuits?.[id]?.setC ?? null,
    set: each[0]?.circuit.setC ?? null,
  }))
}

/** What the mixers of a gateway are to make, as last decided. */
export const circuitsAskedOf = (gateway: Reporting, setpoint: SupplySetpoint): NonNullable<SourceCommand['circuits']> =>
  circuitsOf(gateway).flatMap((circuit) => {
    const setC = setpoint.circuits?.[idOf(gateway.gatewayId, circuit)]?.setC
    return setC === undefined ? [] : [{ channels: circuit.channels, supply_c: setC }]
  })
