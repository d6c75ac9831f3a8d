import { type AppLoops, timestampOf } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import { isSameLoop, type Loop, openTrial, runOf, type Trial } from '../loop-run/run.ts'
import { readingsOf, readingsSince } from './advance-runs.ts'
import { readLoops } from './read.ts'

/** All loops of a building with their rooms and tests, and the run, if there is one. */
export async function loopsOf(store: Store, buildingId: string): Promise<AppLoops> {
  const { text, loops, rooms, valves, tests, details } = await readLoops(store, buildingId)
  const held = runOf(text)
  // The heat-up of a screed has a page of its own.
  const run = held?.kind === 'screed' ? null : held
  const current = run && (openTrial(run) ?? null)
  return {
    loops: loops.map((loop) => {
      const test = tests.find((each) => isSameLoop(each, loop))
      const roomId = valves.find((valve) => isSameLoop(valve, loop))?.roomId ?? null
      return {
        ...refOf(loop),
        room_id: roomId,
        tested: test && test.roomId === roomId ? testView(test) : null,
        ...detailsView(details.find((each) => isSameLoop(each, loop))),
      }
    }),
    run: run && {
      kind: run.kind,
      started_at: timestampOf(run.startedMs),
      ends_at: run.untilMs === null ? null : timestampOf(run.untilMs),
      ended: run.ended && { at: timestampOf(run.ended.atMs), because: run.ended.because },
      trials: run.trials.map(trialView),
      rises: current === null ? [] : await risesOf(store, buildingId, current.openedMs ?? run.startedMs, rooms),
    },
  }
}

interface Details {
  lengthM: number | null
  spacingMm: number | null
  covering: string | null
  designFlow: number | null
}

const detailsView = (details: Details | undefined) => ({
  length_m: details?.lengthM ?? null,
  spacing_mm: details?.spacingMm ?? null,
  covering: details?.covering ?? null,
  design_flow_l_min: details?.designFlow ?? null,
})

const refOf = ({ gatewayId, channel }: Loop) => ({ gateway_id: gatewayId, channel })

const testView = ({ testedAt, certainty }: { testedAt: number; certainty: number | null }) => ({
  at: timestampOf(testedAt),
  certainty,
})

const trialView = (trial: Trial) => ({
  ...refOf(trial),
  opened_at: trial.openedMs === null ? null : timestampOf(trial.openedMs),
  closed_at: trial.closedMs === null ? null : timestampOf(trial.closedMs),
  power: trial.power,
  finding: trial.finding && { room_id: trial.finding.roomId, certainty: trial.finding.certainty },
})

type Rooms = Awaited<ReturnType<typeof readLoops>>['rooms']

/** How much warmer each room is than when the loop was opened. */
async function risesOf(store: Store, buildingId: string, sinceMs: number, rooms: Rooms) {
  const readings = await readingsSince(store, buildingId, sinceMs)
  return rooms.flatMap(({ id, ...room }) => {
    const own = readingsOf(room, readings)
    const [first, last] = [own[0], own.at(-1)]
    if (!first || !last) return []
    return [{ room_id: id, kelvin: Math.round((last.temperatureC - first.temperatureC) * 10) / 10 }]
  })
}
