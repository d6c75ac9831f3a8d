import { setFlagsFromString } from 'node:v8'

/**
 * V8 takes a collection of the whole heap for cheap where the heap grows slowly, and makes one for each 10 MB or so. At
 * our loads that is a good part of all processor time, most of it in other threads. So the heap may double first. A
 * service with little to do keeps no more for it: V8 collects while it rests.
 * Belongs after the start: while much is loaded, V8 lets the heap grow more by itself.
 */
export const collectLessOften = (): void => setFlagsFromString('--heap-growing-percent=100')
