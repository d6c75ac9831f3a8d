import type { WeatherFile, WeatherRow } from './reference.ts'
import { GLASS_DIFFUSE, onWall, sunAt, throughGlass } from './sky.ts'

/** What the world does to the house at an instant; sun in W/m² of the surface it falls on. */
export type Outdoors = {
  outdoorC: number
  skyC: number
  windMs: number
  cloudPct: number
  globalWm2: number
  wallsWm2: number
  /** Through the south window, in W/m² of glass. */
  beamInWm2: number
  diffuseInWm2: number
  glassAbsorbedWm2: number
}

const RADIATION_EARLIER_S = 1800
const STEFAN = 5.67e-8
/** Of what falls on the glass, what its inner pane keeps and passes on inside. */
const ABSORBED = 0.0715
/** Opaque walls: south beside the window, north, east and west. */
const WALLS_M2 = { south: 19.2, north: 43.2, east: 32.4, west: 32.4 }

export function outdoorsAt(file: WeatherFile, yearS: number): Outdoors {
  const now = (value: (row: WeatherRow) => number) => interpolated(file, yearS, value)
  const radiation = (value: (row: WeatherRow) => number) => interpolated(file, yearS + RADIATION_EARLIER_S, value)
  const [direct, diffuse] = [radiation((row) => row.directWm2), radiation((row) => row.diffuseWm2)]
  const sun = sunAt(yearS)
  const wall = (facing: number) => onWall(yearS, sun, facing, direct, diffuse)
  const south = wall(sun.south)
  const sum = ({ beam, diffuse: rest }: { beam: number; diffuse: number }) => beam + rest
  const onWalls =
    WALLS_M2.south * sum(south) +
    WALLS_M2.north * sum(wall(-sun.south)) +
    WALLS_M2.west * sum(wall(sun.west)) +
    WALLS_M2.east * sum(wall(-sun.west))
  return {
    outdoorC: now((row) => row.outdoorC),
    skyC: (radiation((row) => row.infraredWm2) / STEFAN) ** 0.25 - 273.15,
    windMs: now((row) => row.windMs),
    cloudPct: 10 * now((row) => row.cloudTenths),
    globalWm2: diffuse + direct * Math.max(0, sun.up),
    wallsWm2: onWalls / (WALLS_M2.south + WALLS_M2.north + WALLS_M2.east + WALLS_M2.west),
    beamInWm2: south.beam * throughGlass(sun.south),
    diffuseInWm2: south.diffuse * GLASS_DIFFUSE,
    glassAbsorbedWm2: ABSORBED * sum(south),
  }
}

/** The rows are an hour apart from the beginning of the year on. */
function interpolated(file: WeatherFile, yearS: number, value: (row: WeatherRow) => number): number {
  const place = Math.max(0, Math.min(file.length - 1.001, yearS / 3600))
  const left = Math.floor(place)
  const [a, b] = [file[left] as WeatherRow, file[left + 1] as WeatherRow]
  return value(a) + (place - left) * (value(b) - value(a))
}
