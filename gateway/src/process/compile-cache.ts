import { mkdirSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Compiled code is kept between starts, in a folder of this user alone: what lies there is run. A folder that cannot be
 * written costs nothing but the time.
 */
export function keepCompiledCode(env: NodeJS.ProcessEnv = process.env): void {
  if (env.NODE_COMPILE_CACHE !== undefined) return
  const folder = join(cacheFolder(env), 'compiled')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    enableCompileCache(folder)
  } catch {
    // A read-only system.
  }
}

/** Node itself stores it at the end of a process, which a killed process does not reach. */
export const storeCompiledCode = (): void => flushCompileCache()

/** systemd names a folder of the service's own; elsewhere the user has one. */
const cacheFolder = ({ CACHE_DIRECTORY, XDG_CACHE_HOME }: NodeJS.ProcessEnv): string =>
  CACHE_DIRECTORY ?? join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'hypocaust')
