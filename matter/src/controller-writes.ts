import type { RoomPatch } from '@hypocaust/domain'
import { StatusResponse } from '@matter/main/types'
import type { MatterLog } from './log.ts'
import type { RoomPreset, RoomsSource } from './source.ts'

/** Applies the writes of controllers to the rooms. A write that fails is refused with a Matter error. */
export class ControllerWrites {
  readonly #source: RoomsSource
  readonly #log: MatterLog
  #steps = 0

  constructor(source: RoomsSource, log: MatterLog) {
    this.#source = source
    this.#log = log
  }

  /** Differs after a write began or ended, since rooms that were read before may be older than it. */
  get steps(): number {
    return this.#steps
  }

  dial(roomId: string, celsius: number): Promise<void> {
    return this.#carry(roomId, () => this.#source.dial(roomId, celsius))
  }

  choose(roomId: string, preset: RoomPreset | null): Promise<void> {
    return this.#carry(roomId, () => this.#source.preset(roomId, preset))
  }

  carry(roomId: string, patch: RoomPatch): Promise<void> {
    return this.#carry(roomId, () => this.#source.patch(roomId, patch))
  }

  async #carry(roomId: string, send: () => Promise<unknown>): Promise<void> {
    this.#steps++
    try {
      await send()
    } catch (error) {
      const { message } = error as Error
      this.#log('warn', `a controller's change of room ${roomId} was not carried out: ${message}`)
      throw new StatusResponse.FailureError(message)
    } finally {
      this.#steps++
    }
  }
}
