import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type House, messageOf, readHouses } from './house.ts'
import { type PredictOptions, readPredictOptions } from './options.ts'
import { PREDICTORS, predictHouse, type SetResult } from './predict.ts'
import { meanTable, setTable } from './table.ts'

main()

function main() {
  try {
    const options = readPredictOptions(process.argv.slice(2))
    if ('help' in options) console.log(options.help)
    else measure(options)
  } catch (error) {
    complain(messageOf(error))
  }
}

/** A file that cannot be used does not keep the others from being measured. */
function measure({ dataDir, outFile, allFloors }: PredictOptions) {
  const sets: Record<string, SetResult> = {}
  const { houses, problems } = readHouses(dataDir)
  for (const house of houses) {
    try {
      Object.assign(sets, measureHouse(house, allFloors))
    } catch (error) {
      problems.push(messageOf(error))
    }
  }
  if (Object.keys(sets).length > 0) {
    console.log(meanTable(Object.values(sets)))
    if (outFile) write(outFile, sets)
  }
  if (problems.length > 0) complain(problems.join('\n'))
}

function measureHouse(house: House, allFloors: boolean): Record<string, SetResult> {
  const [first, ...others] = house.floorTypes
  const sets: Record<string, SetResult> = {}
  for (const floorType of allFloors ? [first, ...others] : [first]) {
    const name = floorType === first ? house.name : `${house.name} as ${floorType}`
    sets[name] = predictHouse(house, floorType)
    console.log(setTable(name, floorType, sets[name]))
  }
  return sets
}

function complain(what: string) {
  console.error(what)
  process.exitCode = 1
}

function write(outFile: string, sets: Record<string, SetResult>) {
  const rounded = Object.entries(sets).map(([name, { rmse }]) => [
    name,
    Object.fromEntries(PREDICTORS.map((predictor) => [predictor, { rmse: rmse[predictor] }])),
  ])
  mkdirSync(dirname(outFile), { recursive: true })
  writeFileSync(outFile, `${JSON.stringify({ sets: Object.fromEntries(rounded) }, null, 2)}\n`)
  console.log(`\nwritten: ${outFile}`)
}
