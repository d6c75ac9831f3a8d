import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

export const ROOT = resolve(import.meta.dirname, '../..')

/** Runs a program to its end and returns what it printed; a failure carries its error output. */
export async function run(program: string, args: string[], cwd = ROOT): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd, maxBuffer: 64e6 })
  return stdout
}

/** Packs a folder as npm publishes it and returns the name of the file. */
export async function pack(folder: string, destination: string): Promise<string> {
  const printed = JSON.parse(await run('npm', ['pack', '--json', '--pack-destination', destination], folder))
  const [packed] = Object.values(printed) as { filename: string }[]
  if (!packed) throw new Error(`npm pack packed nothing of ${folder}`)
  return packed.filename
}
