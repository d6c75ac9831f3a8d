import { balanceHouse, type HouseDesign, type RoomBalance } from '@hypocaust/control'
import { type Balancing, timestampOf } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import { isSameLoop } from '../loop-run/run.ts'
import { readLoops } from '../loops/read.ts'
import type { Replays } from '../replays/replays.ts'
import { notHeated } from './house-report.ts'
import { designInputs } from './inputs.ts'
import { estimateView, rangeView, rounded, shareView } from './ranges.ts'

interface Parts {
  store: Store
  replays: Pick<Replays, 'ask'>
}

/** By how much the water of each loop should change: worked out anew, and nothing is kept. */
export async function balancing(
  { store, replays }: Parts,
  buildingId: string,
  outdoorC: number,
  nowMs: number,
): Promise<Balancing> {
  const { valves, details } = await readLoops(store, buildingId)
  const { rooms, task, leftOut, untilMs, days } = await designInputs(store, buildingId, outdoorC, nowMs)
  const house = task.rooms.length > 0 ? await replays.ask({ kind: 'design', task }) : null
  const advice = house && balanceHouse(house)
  const loopsOf = (roomId: string, flow: number) =>
    valves
      .filter((valve) => valve.roomId === roomId)
      .map((valve) => {
        const designFlow = details.find((each) => isSameLoop(each, valve))?.designFlow ?? null
        return {
          gateway_id: valve.gatewayId,
          channel: valve.channel,
          design_flow_l_min: designFlow,
          advised_flow_l_min: designFlow === null ? null : rounded(designFlow * flow, 2),
        }
      })
  return {
    outdoor_temperature: outdoorC,
    until: untilMs === null ? null : timestampOf(untilMs),
    days,
    is_measured: house?.rooms.every(({ supply, isWaterMeasured }) => supply === null || isWaterMeasured) ?? false,
    limiting_room: advice?.limitingId ?? null,
    supply: advice && rangeView(advice.supply, 1),
    supply_after: advice && rounded(advice.supplyAfterC, 1),
    lowering: advice && rangeView(advice.lowering, 1),
    rooms: (advice?.rooms ?? []).map((room) => ({
      ...roomView(room, house as HouseDesign),
      name: rooms.find(({ id }) => id === room.id)?.name ?? '',
      loops: loopsOf(room.id, room.flow.value),
    })),
    left_out: [...leftOut, ...notHeated(house, rooms, leftOut)],
  }
}

function roomView({ id, flow, change, supplyC, supplyAfterC }: RoomBalance, house: HouseDesign) {
  const load = house.rooms.find((room) => room.id === id) as HouseDesign['rooms'][number]
  return {
    id,
    advice: change,
    flow: rangeView(flow, 2),
    supply: rounded(supplyC, 1),
    supply_after: rounded(supplyAfterC, 1),
    share: shareView(load.share),
    heat_load: load.loadKw && estimateView(load.loadKw, 2),
  }
}
