import type { Strategy } from './types.ts'

/** A building that saves lets its rooms use their whole band. */
export const strategyOf = (isSaving: boolean): Strategy => (isSaving ? 'saving' : 'hold')
