import {
  type Boundary,
  type Place,
  type RoomPhysics,
  sunPosition,
  verticalWm2,
  type Weather,
} from '@hypocaust/simulator'

/** What surrounds a room with usual people and air change, beside rooms at 20 °C, in a house whose heat source runs. */
export function boundaryOf(physics: RoomPhysics, place: Place, nowMs: number, weather: Weather): Boundary {
  const { outdoorC, windMs, solarWm2 } = weather
  const solarGainWm2 = physics.solarShare * verticalWm2(sunPosition(nowMs, place), solarWm2, physics.facadeDeg)
  return { outdoorC, windMs, solarGainWm2, internalWm2: 3, neighbourC: 20, airChange: 1, supply: 'running' }
}
