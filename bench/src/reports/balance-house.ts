import { seededRandom } from '@hypocaust/simulator'
import { adviceFor, type BalanceState, balanceState, judgeAdvice, type TrueRoom } from './balance-round.ts'
import { KNOWN_AFTER_DAYS, ReportedHouse } from './house.ts'
import { type JudgedReport, OUTDOOR_C } from './judge.ts'

/** A house before, between and after two rounds, and what each round said. */
export type BalancedHouse = { seed: number; states: BalanceState[]; rounds: JudgedReport[] }

const ROUNDS = 2
const BETWEEN_DAYS = 14
/** The flow of each loop, as a multiple of the usual, is hidden from the law. */
const FLOWS = { least: 0.4, most: 2 }

/** Loops that nobody has balanced; after each round the valves are turned as advised, and the law learns for two weeks. */
export function balanceTwice(seed: number): BalancedHouse {
  const random = seededRandom(seed * 31 + 7)
  const house = new ReportedHouse(seed, 'measured')
  let flows = house.rooms.map(() => FLOWS.least * (FLOWS.most / FLOWS.least) ** random.uniform())
  house.setFlows(flows)
  const states: BalanceState[] = []
  const rounds: JudgedReport[] = []
  for (let round = 0; round < ROUNDS; round++) {
    house.advance(round === 0 ? KNOWN_AFTER_DAYS : BETWEEN_DAYS)
    const before = trueRooms(house)
    const advice = adviceFor(house.known())
    flows = flows.map((flow, i) => {
      const room = advice.rooms.find(({ id }) => id === house.rooms[i]?.room.name)
      return room && room.change !== 'leave' ? flow * room.flow.value : flow
    })
    house.setFlows(flows)
    const [was, is] = [balanceState(before), balanceState(trueRooms(house))]
    states.push(...(round === 0 ? [was, is] : [is]))
    const fellK = was.supplyC - is.supplyC
    const { value, least, most } = advice.lowering
    rounds.push({
      ...judgeAdvice(advice, before),
      'K by which the supply can fall': [{ error: value - fellK, isWithin: least <= fellK && fellK <= most }],
    })
  }
  return { seed, states, rounds }
}

function trueRooms(house: ReportedHouse): TrueRoom[] {
  const [truth, rest] = [house.house.truth(), house.atRest(OUTDOOR_C)]
  return house.rooms.map(({ room, areaM2, settings }, i) => ({
    id: room.name,
    areaM2,
    airC: settings.targetC,
    physics: (truth[i] as (typeof truth)[number]).physics,
    rest: rest[i] as (typeof rest)[number],
  }))
}
