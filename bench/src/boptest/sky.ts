/** Sun on the walls of a house in Brussels, from direct and diffuse irradiance, in local standard time. */
const LAT = (50.9 * Math.PI) / 180
const LNG_DEG = 4.53
const MERIDIAN_DEG = 15
const ALBEDO = 0.2

/** Of a unit vector to the sun: up, to the south and to the west. */
export type Sun = { up: number; south: number; west: number }
type Irradiance = { beam: number; diffuse: number }

/** `yearS` counts from the beginning of the year. */
export function sunAt(yearS: number): Sun {
  const day = Math.floor(yearS / 86_400) + 1
  const b = (2 * Math.PI * (day - 81)) / 364
  const equationOfTimeH = (9.87 * Math.sin(2 * b) - 7.53 * Math.cos(b) - 1.5 * Math.sin(b)) / 60
  const solarH = ((yearS / 3600) % 24) + (LNG_DEG - MERIDIAN_DEG) / 15 + equationOfTimeH
  const declination = ((23.45 * Math.PI) / 180) * Math.sin((2 * Math.PI * (284 + day)) / 365)
  const hourAngle = (Math.PI / 12) * (solarH - 12)
  const [sd, cd] = [Math.sin(declination), Math.cos(declination)]
  return {
    up: Math.sin(LAT) * sd + Math.cos(LAT) * cd * Math.cos(hourAngle),
    south: Math.cos(hourAngle) * cd * Math.sin(LAT) - sd * Math.cos(LAT),
    west: cd * Math.sin(hourAngle),
  }
}

/** Clearness classes of Perez and others (1990): upper bound, then the six coefficients. */
const PEREZ = [
  [1.065, -0.0083, 0.5877, -0.0621, -0.0596, 0.0721, -0.022],
  [1.23, 0.1299, 0.6826, -0.1514, -0.0189, 0.066, -0.0289],
  [1.5, 0.3297, 0.4869, -0.2211, 0.0554, -0.064, -0.0261],
  [1.95, 0.5682, 0.1875, -0.2951, 0.1089, -0.1519, -0.014],
  [2.8, 0.873, -0.392, -0.3616, 0.2256, -0.462, 0.0012],
  [4.5, 1.1326, -1.2367, -0.4118, 0.2878, -0.823, 0.0559],
  [6.2, 1.0602, -1.5999, -0.3589, 0.2642, -1.1272, 0.1311],
  [Number.POSITIVE_INFINITY, 0.6777, -0.3273, -0.2504, 0.1561, -1.3765, 0.2506],
] as const

/** On a vertical wall; `facing` is the cosine between its normal and the sun. */
export function onWall(yearS: number, sun: Sun, facing: number, direct: number, diffuse: number): Irradiance {
  const isUp = sun.up > 0.01
  const ground = 0.5 * ALBEDO * (diffuse + (isUp ? direct * sun.up : 0))
  if (!isUp) return { beam: 0, diffuse: 0.5 * diffuse + ground }
  return { beam: direct * Math.max(0, facing), diffuse: perez(yearS, sun.up, facing, direct, diffuse) + ground }
}

/** The sky is brighter around the sun and at the horizon. */
function perez(yearS: number, up: number, facing: number, direct: number, diffuse: number): number {
  const zenith = Math.acos(Math.min(1, up))
  const day = Math.floor(yearS / 86_400) + 1
  const extraterrestrial = 1367 * (1 + 0.033 * Math.cos((2 * Math.PI * day) / 365))
  const airMass = 1 / (up + 0.15 * (93.9 - (180 / Math.PI) * zenith) ** -1.253)
  const brightness = (diffuse * airMass) / extraterrestrial
  const k = 1.041 * zenith ** 3
  const clearness = diffuse > 1 ? ((diffuse + direct) / diffuse + k) / (1 + k) : 1
  const [, a, b, c, d, e, f] = PEREZ.find(([upTo]) => clearness < upTo) ?? PEREZ[7]
  const around = Math.max(0, a + b * brightness + c * zenith)
  const horizon = d + e * brightness + f * zenith
  const towards = Math.max(0, facing) / Math.max(0.087, up)
  return Math.max(0, diffuse * (0.5 * (1 - around) + around * towards + horizon))
}

/** Share of the beam that passes the double glazing of BESTEST, by the angle of incidence in degrees. */
const GLASS = [
  [0, 0.747],
  [20, 0.745],
  [40, 0.73],
  [45, 0.721],
  [60, 0.652],
  [70, 0.517],
  [80, 0.263],
  [90, 0],
] as const
export const GLASS_DIFFUSE = 0.652

export function throughGlass(facing: number): number {
  const degrees = (180 / Math.PI) * Math.acos(Math.min(1, Math.max(0, facing)))
  const right = Math.max(
    1,
    GLASS.findIndex(([angle]) => angle >= degrees),
  )
  const [[x0, y0], [x1, y1]] = [GLASS[right - 1] ?? GLASS[0], GLASS[right] ?? GLASS[7]]
  return y0 + ((degrees - x0) / (x1 - x0)) * (y1 - y0)
}
