/** With `npm run test:properties`. */
export const isFull = process.env.PROPERTY_RUNS === 'full'

/** How often a property is tried: a quarter of the full number, or all. */
export const runs = (full: number): number => (isFull ? full : Math.ceil(full / 4))
