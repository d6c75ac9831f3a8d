import type { FloorType } from '@hypocaust/domain'
import { type Random, seededRandom, type Weather } from '@hypocaust/simulator'
import type { Plant, PlantChoice, PlantStep } from '../src/index.ts'

/**
 * A house built of layers, by other equations than the ones the law knows: a floor of five, walls of four, furniture,
 * a sensor screwed to the wall, a boiler with a fixed water temperature, weather that wanders at random.
 */
const LAYERS: Record<FloorType, { kj: number[]; wk: number[]; pipe: number; watts: number }> = {
  screed: { kj: [28, 28, 28, 32, 36], wk: [60, 60, 60, 60], pipe: 3, watts: 7 },
  dry: { kj: [14, 12, 10, 6, 4], wk: [40, 40, 60, 60], pipe: 2, watts: 6 },
  timber: { kj: [16, 40, 40, 40, 30], wk: [9, 60, 60, 60], pipe: 3, watts: 7 },
  slab: { kj: [90, 90, 90, 90, 90], wk: [55, 45, 45, 45], pipe: 2, watts: 6 },
  electric: { kj: [20, 18, 14, 10, 10], wk: [60, 60, 60, 60], pipe: 1, watts: 0 },
}
const WALL_KJ = [25, 45, 70, 70]
const WALL_WK = [5, 6, 1.6, 0.45]

export function createPlant(choice: PlantChoice): Plant {
  return new LayeredPlant(choice)
}

class LayeredPlant implements Plant {
  private readonly choice: PlantChoice
  private readonly floor: number[]
  private readonly wall: number[] = [19.5, 19.3, 18.5, 12]
  private readonly random: Random
  private readonly sky: { outdoorC: number; clear: number }[]
  private readonly leakWk: number
  private readonly windowM2: number
  private airC = 19.5
  private furnitureC = 19.5
  private sensorC = 19.5
  private position = 0
  private nowS = 0

  constructor(choice: PlantChoice) {
    this.choice = choice
    this.random = seededRandom(choice.seed * 7 + 1)
    this.floor = LAYERS[choice.floorType].kj.map(() => 21)
    this.leakWk = 0.6 + 0.5 * this.random.uniform()
    this.windowM2 = 0.05 + 0.08 * this.random.uniform()
    this.sky = wandering(choice, seededRandom(choice.seed))
  }

  advance({ dtS, open }: { dtS: number; open: number }): PlantStep {
    let heatWhM2 = 0
    for (let leftS = dtS; leftS > 0; leftS -= 15) heatWhM2 += this.move(Math.min(15, leftS), open)
    const heard = this.random.uniform() > 0.1
    const sensorC = Math.round(10 * (this.sensorC + 0.04 * this.random.gaussian())) / 10
    return {
      sensorC: heard ? sensorC : null,
      sensorRh: 45,
      scoredC: 0.6 * this.airC + 0.4 * (this.wall[0] ?? 0),
      airC: this.airC,
      floorC: this.floor[0] ?? 0,
      heatWhM2,
      storedWhM2: this.stored(),
    }
  }

  weather(nowS: number, horizonS: number) {
    const hourly = Array.from({ length: Math.floor(horizonS / 3600) + 1 }, (_, hour) => {
      const { outdoorC, ...rest } = this.skyAt(nowS + hour * 3600)
      return { ...rest, outdoorC: outdoorC + 0.04 * hour * Math.sin(nowS / 40_000 + hour / 9) }
    })
    return { now: this.skyAt(nowS), hourly }
  }

  setpoint(nowS: number) {
    const hour = (nowS % 86_400) / 3600
    const occupied = hour >= 6.5 && hour < 23
    return { targetC: occupied ? 21 : 18.5, bandK: 0.5, night: !occupied, occupied }
  }

  private move(h: number, open: number): number {
    const { kj, wk, pipe, watts } = LAYERS[this.choice.floorType]
    const { floor, wall, airC } = this
    const { outdoorC, solarWm2 } = this.skyAt(this.nowS)
    this.nowS += h
    this.position += Math.max(-h / 200, Math.min(h / 200, open - this.position))
    const water =
      this.choice.floorType === 'electric' ? 100 * open : watts * this.position * Math.max(0, 36 - (floor[pipe] ?? 0))
    const sun = this.windowM2 * solarWm2 * this.facing()
    const hours = (this.nowS % 86_400) / 3600
    const people = hours > 17 && hours < 23 ? 6 : 2
    const flows = floor.map((celsius, i) => (i < floor.length - 1 ? (wk[i] ?? 0) * ((floor[i + 1] ?? 0) - celsius) : 0))
    const up = 10.5 * ((floor[0] ?? 0) - 0.5 * (airC + (wall[0] ?? 0)))
    for (let i = 0; i < floor.length; i++) {
      const source =
        (i === pipe ? water : 0) - (i === 0 ? up - 0.5 * sun : 0) - (i === 4 ? 0.15 * ((floor[4] ?? 0) - 11) : 0)
      floor[i] =
        (floor[i] ?? 0) + ((flows[i] ?? 0) - (i > 0 ? (flows[i - 1] ?? 0) : 0) + source) * (h / 1000 / (kj[i] ?? 1))
    }
    const inward = wall.map((celsius, i) => (WALL_WK[i] ?? 0) * ((i === 0 ? airC : (wall[i - 1] ?? 0)) - celsius))
    const outward = 0.35 * ((wall[3] ?? 0) - outdoorC)
    const toFurniture = 2 * (airC - this.furnitureC)
    const leak = this.leakWk * (airC - outdoorC)
    this.airC += ((0.5 * up - (inward[0] ?? 0) - toFurniture - leak + people + 0.2 * sun) * h) / 14_000
    this.furnitureC += ((toFurniture + 0.1 * sun) * h) / 30_000
    for (let i = 0; i < 4; i++) {
      const source = i === 0 ? 0.5 * up + 0.2 * sun : 0
      const next = i < 3 ? (inward[i + 1] ?? 0) : outward
      wall[i] = (wall[i] ?? 0) + ((inward[i] ?? 0) - next + source) * (h / 1000 / (WALL_KJ[i] ?? 1))
    }
    this.sensorC += ((0.6 * this.airC + 0.4 * (wall[0] ?? 0) - this.sensorC) * h) / 700
    return (water * h) / 3600
  }

  /** A window to the south-west. */
  private facing(): number {
    const hour = (this.nowS % 86_400) / 3600
    return Math.max(0.25, Math.cos(((hour - 14.5) * Math.PI) / 12))
  }

  private skyAt(nowS: number): Weather {
    const hour = nowS / 3600
    const left = Math.min(this.sky.length - 2, Math.floor(hour))
    const [a, b] = [this.sky[left], this.sky[left + 1]]
    const t = hour - left
    const mix = (from = 0, to = 0) => from + t * (to - from)
    const clear = mix(a?.clear, b?.clear)
    const [highest, dayH] = this.choice.scenario === 'shoulder' ? [700, 13] : [260, 8.5]
    const height = Math.cos((((hour % 24) - 12.4) * Math.PI) / dayH)
    const isDay = Math.abs((hour % 24) - 12.4) < dayH / 2
    return {
      outdoorC: mix(a?.outdoorC, b?.outdoorC),
      cloudPct: 100 * (1 - clear),
      windMs: 3,
      windDeg: 200,
      solarWm2: isDay ? highest * height * (0.2 + 0.8 * clear) : 0,
    }
  }

  private stored(): number {
    const { kj } = LAYERS[this.choice.floorType]
    const floor = this.floor.reduce((sum, celsius, i) => sum + celsius * (kj[i] ?? 0), 0)
    const wall = this.wall.reduce((sum, celsius, i) => sum + celsius * (WALL_KJ[i] ?? 0), 0)
    return (floor + wall + 14 * this.airC + 30 * this.furnitureC) / 3.6
  }
}

function wandering({ scenario }: PlantChoice, random: Random): { outdoorC: number; clear: number }[] {
  const meanC = scenario === 'shoulder' ? 10 : 1
  let spell = 0
  let cloud = 0
  return Array.from({ length: 24 * 20 }, (_, hour) => {
    spell = 0.985 * spell + 0.6 * random.gaussian()
    cloud = 0.93 * cloud + 0.5 * random.gaussian()
    const clear = 1 / (1 + Math.exp(-cloud))
    return { outdoorC: meanC + spell + (1 + 3 * clear) * Math.cos(((hour % 24) - 15) * (Math.PI / 12)), clear }
  })
}
