import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is read from a clone of ibpsa/project1-boptest: weather, and trajectories of the original under its baseline. */
export type Reference = { weather: WeatherFile; trajectories: Record<Period, Trajectory> }

export type Period = 'peak' | 'typical'

/** Hourly; radiation is the mean of the hour before. */
export type WeatherRow = {
  yearS: number
  outdoorC: number
  infraredWm2: number
  directWm2: number
  diffuseWm2: number
  windMs: number
  cloudTenths: number
}
export type WeatherFile = WeatherRow[]
type TrajectoryRow = { yearS: number; zoneC: number; supplyC: number; heatPumpW: number; signal: number }
export type Trajectory = TrajectoryRow[]

const CASE = 'bestest_hydronic_heat_pump'
const WEATHER = `testcases/${CASE}/models/Resources/Brussels.mos`
const KELVIN = 273.15

export const WHERE = `--reference must be a clone of https://github.com/ibpsa/project1-boptest: its weather file may not be copied here`

export function readReference(folder: string): Reference {
  const trajectoryOf = (period: Period) =>
    parseTrajectory(read(folder, `testing/references/${CASE}/results_${period}_heat_day.csv`))
  return {
    weather: parseWeather(read(folder, WEATHER)),
    trajectories: { peak: trajectoryOf('peak'), typical: trajectoryOf('typical') },
  }
}

function read(folder: string, path: string): string {
  try {
    return readFileSync(join(folder, path), 'utf8')
  } catch {
    throw new Error(`${join(folder, path)} cannot be read. ${WHERE}`)
  }
}

/** The TMY3 table of the Modelica Buildings library: tab-separated, comments begin with #. */
export function parseWeather(text: string): WeatherFile {
  const rows = text
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => line.trim().split(/\s+/).map(Number))
  if (rows.length < 2 || rows.some((row) => row.length < 18 || row.slice(0, 18).some(Number.isNaN)))
    throw new Error('the weather file is no table of at least 18 columns of numbers')
  return rows.map((row) => {
    const column = (number: number) => row[number - 1] as number
    return {
      yearS: column(1),
      outdoorC: column(2),
      infraredWm2: column(8),
      directWm2: column(10),
      diffuseWm2: column(11),
      windMs: column(17),
      cloudTenths: column(18),
    }
  })
}

export function parseTrajectory(text: string): Trajectory {
  const [head = '', ...lines] = text.trim().split('\n')
  const names = head.trim().split(',')
  const place = (name: string) => {
    const at = names.indexOf(name)
    if (at < 0) throw new Error(`the reference trajectory has no column ${name}`)
    return at
  }
  const [time, zone, supply, power, signal] = [
    place('time'),
    place('reaTZon_y'),
    place('reaTSup_y'),
    place('reaPHeaPum_y'),
    place('oveHeaPumY_u'),
  ]
  return lines.map((line) => {
    const cells = line.split(',').map(Number)
    const cell = (at: number) => cells[at] as number
    return {
      yearS: cell(time),
      zoneC: cell(zone) - KELVIN,
      supplyC: cell(supply) - KELVIN,
      heatPumpW: cell(power),
      signal: cell(signal),
    }
  })
}
