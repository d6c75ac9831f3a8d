import type { Comfort } from '@hypocaust/domain'
import type { Strategy } from './types.ts'

const STRATEGY: Record<Comfort, Strategy> = { comfort_first: 'comfort-first', balanced: 'hold', saving: 'saving' }

/** The words a building is set up with, as the law knows them. */
export const strategyOf = (comfort: Comfort): Strategy => STRATEGY[comfort]
