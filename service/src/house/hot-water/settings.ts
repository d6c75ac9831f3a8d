import type { HotWaterState, TankSettings } from '@hypocaust/control'
import { type HotWaterSettings, hotWaterProblem, localTime, minuteOf, WEEKDAYS, weekdayOf } from '@hypocaust/domain'

export const HOT_WATER_COLUMNS = ['hotWater', 'hotWaterState'] as const

export interface HotWaterRow {
  /** Null: the control leaves hot water alone. */
  hotWater: string | null
  hotWaterState: string | null
}

export const hotWaterSettingsOf = ({ hotWater }: Pick<HotWaterRow, 'hotWater'>): HotWaterSettings | null =>
  hotWater === null ? null : JSON.parse(hotWater)

export const hotWaterStateOf = ({ hotWaterState }: Pick<HotWaterRow, 'hotWaterState'>): HotWaterState | null =>
  hotWaterState === null ? null : JSON.parse(hotWaterState)

export const hotWaterColumns = (settings: HotWaterSettings | null | undefined): { hotWater?: string | null } =>
  settings === undefined ? {} : { hotWater: settings && JSON.stringify(settings) }

export const hotWaterProblemOf = (settings: HotWaterSettings | null | undefined): string | null =>
  settings ? hotWaterProblem(settings) : null

/** As the law takes it. */
export function tankOf(settings: HotWaterSettings, timeZone: string): TankSettings {
  return {
    volumeL: settings.volume_l,
    fullC: settings.temperature,
    tapC: settings.tap_temperature,
    people: settings.people,
    disinfectC: settings.disinfection,
    isWished: (atMs) => isWished(settings.times, timeZone, atMs),
    hourOf: (atMs) => Math.floor(localTime(timeZone, atMs).minuteOfDay / 60),
  }
}

/** Without times water is always to be hot. A time over midnight belongs to the day on which it begins. */
function isWished(times: HotWaterSettings['times'], timeZone: string, atMs: number): boolean {
  if (times.length === 0) return true
  const { day, minuteOfDay } = localTime(timeZone, atMs)
  const [today, yesterday] = [day, day - 1].map((each) => WEEKDAYS[weekdayOf(each)])
  return times.some(({ days, from, to }) => {
    const [fromMinute, toMinute] = [minuteOf(from), minuteOf(to)]
    const isOn = (name: typeof today) => days.some((each) => each === name)
    if (fromMinute < toMinute) return isOn(today) && minuteOfDay >= fromMinute && minuteOfDay < toMinute
    return (isOn(today) && minuteOfDay >= fromMinute) || (isOn(yesterday) && minuteOfDay < toMinute)
  })
}
