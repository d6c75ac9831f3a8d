import { parseArgs } from 'node:util'

export type PredictOptions = { dataDir: string; outFile: string | null; allFloors: boolean }

export const USAGE = `npm run bench:predict -- --data DIR [options]
  --data DIR          folder of recorded houses, one JSON file each:
                      {name, location: {lat, lng}, floorTypes, slots: [{endMs, airC, power, outdoorC, windMs, solarWm2}]}
                      in half hours; airC is null where nothing was measured; the first floor type is configured
  --all-floors        also with each other floor type of a file configured, as "NAME as TYPE"
  --out FILE          where the JSON goes`

export function readPredictOptions(args: string[]): PredictOptions | { help: string } {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'string' },
      out: { type: 'string' },
      'all-floors': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return { help: USAGE }
  if (!values.data) throw new Error(`--data is missing: the folder with the recorded houses\n\n${USAGE}`)
  return { dataDir: values.data, outFile: values.out ?? null, allFloors: values['all-floors'] }
}
