import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Condition, HEALTHY, healthyWithout, isFault } from './faults.ts'
import { type HouseChoice, type Recorded, recordHouse } from './house.ts'
import { type Look, looksAt } from './look.ts'

/** A house in several conditions; recordings are kept in a folder where one is given. */
export type HouseJob = { seed: number; conditions: Condition[]; isPlanned: boolean; keptIn: string | null }
export type HouseResult = { kind: 'looks'; looks: Look[] } | { kind: 'failed'; why: string }

parentPort?.on('message', (job: HouseJob) => parentPort?.postMessage(work(job)))

function work({ seed, conditions, isPlanned, keptIn }: HouseJob): HouseResult {
  try {
    const healthy = new Map(
      HEALTHY.filter((each) =>
        conditions.some((other) => other === each || (isFault(other) && healthyWithout(other) === each)),
      ).map((condition) => [condition, recorded({ seed, condition, isPlanned }, keptIn)]),
    )
    const looks = conditions.flatMap((condition) => {
      const house = isFault(condition)
        ? recorded({ seed, condition, isPlanned }, keptIn, healthy.get(healthyWithout(condition)))
        : (healthy.get(condition) as Recorded[])
      return looksAt(house, condition, seed)
    })
    return { kind: 'looks', looks }
  } catch (error) {
    return { kind: 'failed', why: error instanceof Error ? error.message : String(error) }
  }
}

function recorded(choice: HouseChoice, keptIn: string | null, healthy?: Recorded[]): Recorded[] {
  const file = keptIn && join(keptIn, `${choice.seed}-${choice.condition}.json.gz`)
  if (file && existsSync(file)) return JSON.parse(gunzipSync(readFileSync(file)).toString()) as Recorded[]
  const house = recordHouse(choice, healthy)
  if (file) writeFileSync(file, gzipSync(JSON.stringify(house)))
  return house
}
