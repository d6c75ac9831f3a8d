import { parseArgs } from 'node:util'
import { runAll } from '../pool.ts'
import { progress } from '../progress.ts'
import type { OddResult } from './run.ts'

const USAGE = `npm run bench:odd-rooms -- [options]
  Rooms in which 0 to 100 % of the heat goes straight to the air, with other floors than entered, and absurd areas.
  --rooms N   (200)
  --days N    (28)`

/** Colder than a thermostat that opens fully below its target keeps the same room, K·h in three weeks. */
const MOST_COLDER_KH = 15

await main()

async function main() {
  const { values } = parseArgs({
    options: {
      rooms: { type: 'string', default: '200' },
      days: { type: 'string', default: '28' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const days = Number(values.days)
  const jobs = Array.from({ length: Number(values.rooms) }, (_, number) => ({ number, days }))
  const workerUrl = new URL('./worker.ts', import.meta.url)
  const results = await runAll<(typeof jobs)[number], OddResult>(
    workerUrl,
    jobs,
    progress(jobs.length, Date.now(), Date.now),
  )
  report(results)
}

function report(results: OddResult[]) {
  const colder = ({ coldKh, thermostat }: OddResult) => coldKh - thermostat.coldKh
  const worst = results.toSorted((a, b) => colder(b) - colder(a)).slice(0, 12)
  console.log('  room  entered   to air  learned  cold K·h  thermostat  felt K·h  coldest  shut  broken')
  for (const each of worst) console.log(line(each))
  const shut = results.filter((each) => each.shut > 0).length
  const cold = results.filter((each) => colder(each) > MOST_COLDER_KH).length
  const broken = results.filter((each) => each.broken > 0).length
  console.log(
    `${results.length} rooms: ${shut} shut, ${cold} more than ${MOST_COLDER_KH} K·h colder than under a thermostat, ${broken} whose model was called broken`,
  )
  if (shut > 0) process.exitCode = 1
}

function line({ number, entered, airShare, learnedShare, coldKh, feltColdKh, coldestC, ...rest }: OddResult): string {
  const cell = (value: number, digits: number, width: number) => value.toFixed(digits).padStart(width)
  return [
    String(number).padStart(6),
    `  ${entered.padEnd(9)}`,
    cell(100 * airShare, 0, 5),
    ' %',
    cell(100 * learnedShare, 0, 7),
    ' %',
    cell(coldKh, 1, 10),
    cell(rest.thermostat.coldKh, 1, 12),
    cell(feltColdKh, 1, 10),
    cell(coldestC, 1, 9),
    cell(rest.shut, 0, 6),
    cell(rest.broken, 0, 8),
  ].join('')
}
