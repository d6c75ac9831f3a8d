import type { Town } from '@hypocaust/domain'

/** Returned at most. */
const MOST = 6

/** A line is `name|country|latitude|longitude|time zone`, larger towns first; one that begins with # says where they are from. */
export const parseTowns = (text: string): Town[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', country = '', lat, lng, timezone = ''] = line.split('|')
      return { name, country, lat: Number(lat), lng: Number(lng), timezone }
    })

/** Those whose name begins with what was typed, then those with a later word that does; larger ones first. */
export function findTowns(towns: Town[], typed: string): Town[] {
  const wanted = plain(typed)
  if (wanted.length < 2) return []
  const beginning = towns.filter(({ name }) => plain(name).startsWith(wanted))
  const within = towns.filter(({ name }) => !beginning.length && plain(name).includes(` ${wanted}`))
  return [...beginning, ...within].slice(0, MOST)
}

/** Further away than this, a place is not known by a town. */
const NEAR_KM = 50
const KM_PER_DEGREE = 111.2

/** The town by which a place is known; undefined where none is near. */
export function nearestTown(towns: Town[], { lat, lng }: { lat: number; lng: number }): Town | undefined {
  const east = Math.cos((lat * Math.PI) / 180)
  let nearest: Town | undefined
  let nearestKm = NEAR_KM
  for (const town of towns) {
    const km = KM_PER_DEGREE * Math.hypot(town.lat - lat, east * shortWay(town.lng - lng))
    if (km >= nearestKm) continue
    nearest = town
    nearestKm = km
  }
  return nearest
}

/** Degrees between two longitudes, also across the date line. */
const shortWay = (degrees: number): number => ((degrees + 540) % 360) - 180

/** Without marks and in small letters: people type "munchen", "Zurich" and "koln". */
const plain = (text: string): string =>
  text.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ø', 'o').replaceAll('ß', 'ss')
