import { copOf, type HeatSource, type PowerLimit, PRIOR_QUALITY } from '@hypocaust/control'
import { HOUR_S } from '@hypocaust/domain/facts'
import { seededRandom, supplyC } from '@hypocaust/simulator'
import { DAY_S } from './scenarios.ts'
import type { World } from './world.ts'

/** The room stands for a house of such rooms with one heat source. */
export const HOUSE_M2 = 200
const LASTS_S = 2 * HOUR_S
/** § 14a leaves 4.2 kW; a contract may leave less. */
const MOST_W = 4200
const LEAST_W = 300
const LONGEST_NOTICE_H = 12
const DAYS = 14
const HALF_HOURS = 44

/** In plant time. */
export type Cap = { announcedS: number; fromS: number; untilS: number; powerW: number }

/** Two hours of each day, at a time, with a notice and with watts that are drawn: every second day what § 14a leaves. */
export function capsOf({ choice }: World): Cap[] {
  const random = seededRandom(7100 + choice.seed)
  return Array.from({ length: DAYS }, (_, day) => {
    const fromS = day * DAY_S + Math.floor(HALF_HOURS * random.uniform()) * (HOUR_S / 2)
    const noticeS = Math.round(LONGEST_NOTICE_H * random.uniform()) * HOUR_S
    const lessW = LEAST_W + (MOST_W - LEAST_W) * random.uniform()
    return { announcedS: fromS - noticeS, fromS, untilS: fromS + LASTS_S, powerW: day % 2 === 0 ? lessW : MOST_W }
  })
}

export const capAt = (caps: Cap[], nowS: number): Cap | undefined =>
  caps.find(({ fromS, untilS }) => nowS >= fromS && nowS < untilS)

export const limitOf = ({ fromS, untilS, powerW }: Cap, startMs: number): PowerLimit => ({
  fromMs: startMs + 1000 * fromS,
  untilMs: startMs + 1000 * untilS,
  powerW,
})

export const sourceOf = ({ physics }: World): HeatSource =>
  physics.heat.kind === 'electric' ? { kind: 'electric', share: 1 } : { kind: 'heat-pump', quality: PRIOR_QUALITY }

/** Heat for each kWh of electricity. */
export function trueEfficiency({ physics, boundary }: World, nowS: number): number {
  const { heat } = physics
  if (heat.kind === 'electric') return 1
  const { outdoorC } = boundary(nowS)
  return copOf(PRIOR_QUALITY, outdoorC, supplyC(outdoorC, heat.supplyOffsetK, heat.supplySlope))
}

/** The heat that a cap leaves, W/m². */
export const mostHeatWm2 = (world: World, caps: Cap[], nowS: number): number => {
  const cap = capAt(caps, nowS)
  return cap ? (cap.powerW * trueEfficiency(world, nowS)) / HOUSE_M2 : Number.POSITIVE_INFINITY
}
