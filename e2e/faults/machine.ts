import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A disk of its own for one process, which can be full or read-only. Undefined where the machine does not allow it. */
export interface SmallDisk {
  fill(): void
  free(): void
  setReadOnly(isReadOnly: boolean): void
  unmount(): void
}

const FILLER = 'filler'

export function mountDisk(folder: string, megabytes: number): SmallDisk | undefined {
  mkdirSync(folder, { recursive: true })
  try {
    mount(['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  } catch {
    return undefined
  }
  return {
    fill() {
      for (let part = 0; ; part++) {
        const { bavail, bsize } = statfsSync(folder)
        if (bavail === 0) return
        try {
          writeFileSync(join(folder, `${FILLER}-${part}`), Buffer.alloc(Math.min(bavail * bsize, 64 * 1024 * 1024)))
        } catch (error) {
          // Its process has written meanwhile.
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
          return
        }
      }
    },
    free() {
      for (const name of readdirSync(folder)) if (name.startsWith(FILLER)) rmSync(join(folder, name))
    },
    setReadOnly: (isReadOnly) => mount(['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, folder]),
    unmount: () => execFileSync('umount', ['-l', folder]),
  }
}

const mount = (args: string[]) => execFileSync('mount', args, { stdio: 'ignore' })

/** Debian's libfaketime: steps the wall clock of one process while it runs, and leaves its timers alone. */
export interface ProcessClock {
  env: Record<string, string>
  setOffset(seconds: number): void
}

export function processClock(file: string): ProcessClock | undefined {
  const library = ['aarch64', 'x86_64', 'arm'].flatMap((machine) =>
    ['gnu', 'gnueabihf'].map((abi) => `/usr/lib/${machine}-linux-${abi}/faketime/libfaketime.so.1`),
  )
  const found = library.find((path) => existsSync(path))
  if (!found) return undefined
  const setOffset = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  setOffset(0)
  const env = {
    LD_PRELOAD: found,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
  return { env, setOffset }
}
