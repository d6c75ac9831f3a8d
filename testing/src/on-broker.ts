import { afterAll, beforeAll, describe } from 'vitest'
import { type Mosquitto, startMosquitto, withoutMosquitto } from './mosquitto.ts'
import { Party } from './party.ts'

/** A real broker, and a client that subscribes and publishes there. */
interface Meeting {
  readonly brokerUrl: string
  readonly party: Party
}

/** Tests on one broker; skipped visibly where there is none. */
export function describeOnBroker(what: string, tests: (at: Meeting) => void): void {
  describe.skipIf(withoutMosquitto())(what, () => {
    let broker: Mosquitto
    let party: Party
    beforeAll(async () => {
      broker = await startMosquitto()
      party = await Party.join(broker.url)
    })
    afterAll(async () => {
      await party.leave()
      await broker.stop()
    })
    tests({
      get brokerUrl() {
        return broker.url
      },
      get party() {
        return party
      },
    })
  })
}
