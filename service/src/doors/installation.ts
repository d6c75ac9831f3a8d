import { randomUUID } from 'node:crypto'
import { keptOnce } from '../store/kept-once.ts'
import type { Store } from '../store/store.ts'

/** One database is one installation, whatever its address and however many processes it has. Not a secret. */
export const installationOf = (store: Store): Promise<string> => keptOnce(store, 'installation', randomUUID)
