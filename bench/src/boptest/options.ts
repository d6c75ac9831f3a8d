import { parseArgs } from 'node:util'
import { WHERE } from './reference.ts'

export type BoptestOptions = { referenceDir: string; outFile: string | null }

export const USAGE = `npm run bench:boptest -- --reference DIR [--out FILE]
  The house of BOPTEST's bestest_hydronic_heat_pump: checked against its reference trajectories, then two weeks each of
  the coldest and of typical days, scored as BOPTEST does.
  --reference DIR     a clone of https://github.com/ibpsa/project1-boptest
  --out FILE          where the JSON goes`

export function readBoptestOptions(args: string[]): BoptestOptions | { help: string } {
  const { values } = parseArgs({
    args,
    options: { reference: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean', default: false } },
  })
  if (values.help) return { help: USAGE }
  if (!values.reference) throw new Error(`--reference is missing. ${WHERE}\n\n${USAGE}`)
  return { referenceDir: values.reference, outFile: values.out ?? null }
}
