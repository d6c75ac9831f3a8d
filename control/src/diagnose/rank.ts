import { CAUSES, type Cause, type FloorType, HOUSE_CAUSES, type HouseCause } from '@hypocaust/domain'

/** How strongly a room speaks for each cause, and for its sensor being that of another room, by the order of the rooms. */
type RoomGains = { floorType: FloorType; gains: Record<Cause, number>; swapped: number[] }
type Ranked = { cause: Cause; probability: number; otherRoom: number | null }

/** Of one room and one look: faults are rare. In natural logarithms, against a healthy room. */
const RARE = -6.5
/** Half hours err together: of what the model says they prove, only so much counts. */
const TRUST = 0.7
/** Rooms of a house share weather, sun and people: what another room says is partly what the first has said. */
const OF_ANOTHER_ROOM = 0.8
/** What breaks in a way that no cause describes looks like the nearest of them. */
const UNFORESEEN = 0.03
/** A cause of the whole house has to be seen in a second room. */
const SEEN_GAIN = 4

/** All causes of a room, the most probable first. What is missing to one is the probability that nothing is wrong. */
export function rank(house: (RoomGains | null)[], index: number): Ranked[] {
  const own = house[index]
  if (!own) return []
  const weighed = CAUSES.flatMap((cause): { cause: Cause; gain: number; otherRoom: number | null }[] => {
    if (cause === 'sensors_swapped') return swapOf(house, index)
    if (!isHouseCause(cause)) return [{ cause, gain: own.gains[cause], otherRoom: null }]
    const gain = gainOfHouse(house, index, cause)
    return gain === null ? [] : [{ cause, gain, otherRoom: null }]
  })
  const logs = weighed.map(({ gain }) => RARE + TRUST * gain)
  const most = Math.max(0, ...logs)
  const sum = Math.exp(-most) + logs.reduce((total, log) => total + Math.exp(log - most), 0)
  return weighed
    .map(({ cause, otherRoom }, i) => ({
      cause,
      otherRoom,
      probability: ((1 - UNFORESEEN) * Math.exp((logs[i] as number) - most)) / sum,
    }))
    .toSorted((a, b) => b.probability - a.probability)
}

const isHouseCause = (cause: Cause): cause is HouseCause => HOUSE_CAUSES.some((each) => each === cause)

/** All rooms with water together; null where this room does not show it, or no other room does although there is one. */
function gainOfHouse(house: (RoomGains | null)[], index: number, cause: HouseCause): number | null {
  const own = house[index]
  if (!own || own.floorType === 'electric') return null
  const others = house.flatMap((room, i) => (room && i !== index && room.floorType !== 'electric' ? [room] : []))
  const gains = others.map((room) => room.gains[cause])
  if (own.gains[cause] < SEEN_GAIN || (gains.length > 0 && Math.max(...gains) < SEEN_GAIN)) return null
  return own.gains[cause] + OF_ANOTHER_ROOM * gains.reduce((sum, gain) => sum + gain, 0)
}

/** Each of two rooms has to answer to the heat of the other. */
function swapOf(house: (RoomGains | null)[], index: number) {
  const own = house[index]?.swapped ?? []
  return house.flatMap((other, i) => {
    const [here, there] = [own[i] ?? 0, other?.swapped[index] ?? 0]
    if (i === index || here < SEEN_GAIN || there < SEEN_GAIN) return []
    return [{ cause: 'sensors_swapped' as const, gain: here + there, otherRoom: i }]
  })
}
