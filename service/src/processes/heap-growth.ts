import { setFlagsFromString } from 'node:v8'

/**
 * Lets the heap double between two full garbage collections; V8 alone makes one for each 10 MB. Belongs after the start:
 * under a flag of V8 that Node was not built with, the compiled code that Node brings of its own modules is not used.
 */
export function letHeapDouble(): void {
  setFlagsFromString('--heap-growing-percent=100')
}
