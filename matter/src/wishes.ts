import type { RoomPatch } from '@hypocaust/domain'
import { StatusResponse } from '@matter/main/types'
import type { MatterLog } from './log.ts'
import type { RoomsSource } from './source.ts'

/** Carries what controllers ask for to the rooms. What is not carried out is refused with a Matter error. */
export class Wishes {
  readonly #source: RoomsSource
  readonly #log: MatterLog
  #steps = 0

  constructor(source: RoomsSource, log: MatterLog) {
    this.#source = source
    this.#log = log
  }

  /** Differs after a wish began or ended: what was read of the rooms before may be older than the wish. */
  get steps(): number {
    return this.#steps
  }

  dial(roomId: string, celsius: number): Promise<void> {
    return this.#carry(roomId, () => this.#source.dial(roomId, celsius))
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
