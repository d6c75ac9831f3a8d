import { registerHooks } from 'node:module'

interface Defect {
  name: string
  /** A file of the product, as the end of its address. */
  file: string
  from: string
  to: string
}

/** Mistakes that the simulation must find. A file is changed while it is loaded, and only in the process of a test. */
export const DEFECTS: Defect[] = [
  {
    name: 'PUBACK before the commit',
    file: '/service/src/doors/mqtt/ingest.ts',
    from: 'this.#waiting.push({ message, receivedAt,',
    to: 'message.confirm?.(); this.#waiting.push({ message, receivedAt,',
  },
  {
    name: 'lost wake-up',
    file: '/service/src/processes/at-most-every.ts',
    from: 'if (isAskedAgain) this.#begin(key)',
    to: 'void isAskedAgain',
  },
  {
    name: 'fallback not ended',
    file: '/gateway/src/heating/duties.ts',
    from: 'if (verdict.inForce) {',
    to: 'if (verdict.inForce && !(this.#inForce && clock.monotonicMs() >= this.#inForce.untilMs)) {',
  },
  {
    name: 'undo without its check',
    file: '/service/src/house/buildings/undo-change.ts',
    from: 'updateRoom(store, nowMs, { buildingId, roomId }, changes, { seen })',
    to: 'updateRoom(store, nowMs, { buildingId, roomId }, changes)',
  },
  {
    name: 'budget counted twice',
    file: '/service/src/doors/http/limits.ts',
    from: 'window.used += units',
    to: 'window.used += 2 * units',
  },
]

/** Before the product is loaded. */
export function putIn(name: string): void {
  const defect = DEFECTS.find((each) => each.name === name)
  if (!defect) throw new Error(`no such defect: ${name}. There are: ${DEFECTS.map((each) => each.name).join(', ')}`)
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(defect.file)) return loaded
      const text = String(loaded.source)
      if (!text.includes(defect.from))
        throw new Error(`${defect.file} has changed: ${defect.from} is not in it any more`)
      return { ...loaded, source: text.replace(defect.from, defect.to) }
    },
  })
}
