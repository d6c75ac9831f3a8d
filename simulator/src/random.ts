/** Seeded randomness: the same seed gives the same house, weather and noise on every machine. */
export type Random = {
  /** Uniform in [0, 1). */
  uniform(): number
  gaussian(): number
}

export function seededRandom(seed: number): Random {
  let state = hash(seed, 0x9e3779b9)
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
  return { uniform, gaussian }
}

/** A smooth random curve through time, of about unit spread and without memory: any instant can be asked first. */
export function smoothNoise(seed: number, x: number): number {
  const left = Math.floor(x)
  const t = x - left
  const p0 = latticeValue(seed, left - 1)
  const p1 = latticeValue(seed, left)
  const p2 = latticeValue(seed, left + 1)
  const p3 = latticeValue(seed, left + 2)
  const bend = 3 * (p1 - p2) + p3 - p0
  return p1 + 0.5 * t * (p2 - p0 + t * (2 * p0 - 5 * p1 + 4 * p2 - p3 + t * bend))
}

/** Roughly Gaussian: a sum of four uniforms. */
function latticeValue(seed: number, index: number): number {
  let sum = 0
  for (let draw = 0; draw < 4; draw++) sum += hash(seed + draw * 7919, index) / 4294967296
  return (sum - 2) * Math.sqrt(3)
}

export function hash(seed: number, index: number): number {
  let mixed = (Math.imul(seed | 0, 0x85ebca6b) ^ Math.imul((index | 0) + 0x27d4eb2f, 0xc2b2ae35)) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
