import { HypocaustError } from './error.ts'
import type { State } from './generated/types.ts'
import { passesInTime, type Surroundings, waitMsAfter } from './retry.ts'

export type StatePart = Exclude<keyof State, 'revision'>

export type HouseEvent =
  /** The buildings that are followed: at the beginning, and when they are others. */
  | { kind: 'buildings'; buildingIds: string[] }
  /** The state of a building, and which parts of it are new; all of them at first. */
  | { kind: 'state'; buildingId: string; state: State; changed: StatePart[] }

export interface EventsOptions {
  /** Only this building; left out, all that the key reaches, at most 50. */
  buildingId?: string
  /** Ends the loop. */
  signal?: AbortSignal
  /** Called when the connection is lost or refused and will be opened again; without it trouble is silent. */
  onTrouble?: (error: HypocaustError) => void
}

/** Opens the stream after the event with this id; its pieces end when the connection does. */
export type OpenStream = (lastEventId: string | undefined) => Promise<AsyncIterable<string>>

/** Events over as many connections as it takes. Passing trouble is waited out, any other ends the loop. */
export async function* events(
  open: OpenStream,
  { signal, onTrouble }: EventsOptions,
  surroundings: Surroundings,
): AsyncGenerator<HouseEvent, void, void> {
  const states = new Map<string, State>()
  let lastEventId: string | undefined
  let failures = 0
  while (!signal?.aborted) {
    try {
      for await (const { id, name, data } of eventsIn(await open(lastEventId))) {
        const event = name === 'buildings' ? follow(states, data) : name === 'state' ? update(states, data) : undefined
        if (event) yield event
        // Only once it has been taken: what was not may come again.
        lastEventId = id
        failures = 0
      }
      throw new HypocaustError('no_connection', 'The stream of events has ended')
    } catch (error) {
      if (signal?.aborted) return
      if (!(error instanceof HypocaustError) || !passesInTime(error, lastEventId !== undefined)) throw error
      onTrouble?.(error)
      await surroundings
        .sleep(waitMsAfter(error, failures++, surroundings.random()), signal)
        .catch((reason: unknown) => {
          if (!signal?.aborted) throw reason
        })
    }
  }
}

function follow(states: Map<string, State>, data: string): HouseEvent {
  const { building_ids: buildingIds } = JSON.parse(data) as { building_ids: string[] }
  for (const id of states.keys()) if (!buildingIds.includes(id)) states.delete(id)
  return { kind: 'buildings', buildingIds }
}

function update(states: Map<string, State>, data: string): HouseEvent {
  const { building_id: buildingId, ...parts } = JSON.parse(data) as Partial<State> & { building_id: string }
  const state = { ...states.get(buildingId), ...parts } as State
  states.set(buildingId, state)
  const changed = Object.keys(parts).filter((name) => name !== 'revision') as StatePart[]
  return { kind: 'state', buildingId, state, changed }
}

interface SentEvent {
  id: string
  name: string
  data: string
}

/** As much of server-sent events as the service uses: one line a field, a blank line behind each event. */
async function* eventsIn(pieces: AsyncIterable<string>): AsyncGenerator<SentEvent, void, void> {
  let text = ''
  for await (const piece of pieces) {
    const blocks = (text + piece).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]))
      const [id, name, data] = [fields.get('id'), fields.get('event'), fields.get('data')]
      if (id !== undefined && name !== undefined && data !== undefined) yield { id, name, data }
    }
  }
}
