import { join } from 'node:path'
import { pack, ROOT, run } from './shell.ts'

/** The client compiled for any Node and browser, with its types. */
export async function packClient(destination: string): Promise<string> {
  await run(process.execPath, [join(ROOT, 'client/scripts/build.ts')])
  return pack(join(ROOT, 'client/dist'), destination)
}
