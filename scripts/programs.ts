// Where the programs are that tests need beside Node.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

export const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome']
/** Without windows: half the processor time, and everything the pages need but notifications. */
export const HEADLESS_CHROMIUM = ['chromium-headless-shell', ...CHROMIUM]

export const inPath = (): string[] => (process.env.PATH ?? '').split(delimiter)

/** The first of these that can be run, from the first place that has one. */
export const findProgram = (names: string[], places = inPath()): string | undefined =>
  places.flatMap((place) => names.map((name) => join(place, name))).find(isExecutable)

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
