import { isObject, type JsonObject } from '../base/json.ts'
import type { Publish } from '../valves/driver.ts'
import { isNumber } from './adapter.ts'
import type { ShellyDevice } from './shelly-device.ts'

const ASK_AGAIN_MS = 600_000
/** Apart from the numbers that questions to relays carry. */
const FIRST_NUMBER = 100_000
const MOST_OPEN = 1000

/** Asks a Shelly what its dynamic components measure: a Bluetooth value says nothing but its number. */
export class ShellyQuestions {
  readonly #replyTo: string | null
  readonly #askedMs = new Map<ShellyDevice, number>()
  readonly #open = new Map<number, { device: ShellyDevice; prefix: string }>()
  #number = FIRST_NUMBER
  #waiting: Publish[] = []

  /** Null: nothing is asked. */
  constructor(replyTo: string | null) {
    this.#replyTo = replyTo
  }

  ask(device: ShellyDevice, prefix: string, nowMs: number): void {
    const before = this.#askedMs.get(device)
    if (this.#replyTo === null || (before !== undefined && Math.abs(nowMs - before) < ASK_AGAIN_MS)) return
    this.#askedMs.set(device, nowMs)
    this.#put(this.#replyTo, { device, prefix, offset: 0 })
  }

  /** The device that a reply is from, when it answers one of these questions; a long list is asked for in parts. */
  answered({ id, result }: JsonObject): ShellyDevice | undefined {
    const asked = isNumber(id) ? this.#open.get(id) : undefined
    if (!asked || this.#replyTo === null) return undefined
    this.#open.delete(id as number)
    if (isObject(result) && Array.isArray(result.components) && isNumber(result.offset) && isNumber(result.total)) {
      const next = result.offset + result.components.length
      if (result.components.length > 0 && next < result.total) this.#put(this.#replyTo, { ...asked, offset: next })
    }
    return asked.device
  }

  take(): Publish[] {
    return this.#waiting.splice(0)
  }

  #put(src: string, { device, prefix, offset }: { device: ShellyDevice; prefix: string; offset: number }): void {
    if (this.#open.size >= MOST_OPEN) this.#open.clear()
    const id = this.#number++
    this.#open.set(id, { device, prefix })
    const params = { offset, dynamic_only: true, include: ['config'] }
    const call = { id, src, method: 'Shelly.GetComponents', params }
    this.#waiting.push({ topic: `${prefix}/rpc`, payload: JSON.stringify(call) })
  }
}
