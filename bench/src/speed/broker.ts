import { connectAsync } from 'mqtt'
import { threadTimeUs } from '../load/cpu.ts'
import type { OwnServer } from '../load/processes.ts'
import { type Figure, figureOf } from './rounds.ts'

const UNDER_WAY = 50
/** As long as a gateway's message with the readings of four rooms. */
const PAYLOAD = Buffer.alloc(520, 'x')

interface BrokerRate {
  perS: Figure
  usEach: Figure
}

/** What MQTT itself costs: Mosquitto's QoS 1 from one publisher to one subscriber, with nothing stored. */
export async function measureBroker(
  { url, pid }: OwnServer,
  { turns, requests }: { turns: number; requests: number },
): Promise<BrokerRate> {
  const [publisher, subscriber] = await Promise.all([connectAsync(url), connectAsync(url)])
  await subscriber.subscribeAsync('speed', { qos: 1 })
  const round = async (count: number) => {
    const received = new Promise<void>((resolve) => {
      let left = count
      const take = () => {
        if (--left > 0) return
        subscriber.off('message', take)
        resolve()
      }
      subscriber.on('message', take)
    })
    let sent = 0
    const send = async () => {
      while (sent++ < count) await publisher.publishAsync('speed', PAYLOAD, { qos: 1 })
    }
    await Promise.all([received, ...Array.from({ length: UNDER_WAY }, send)])
  }
  await round(requests)
  const rounds: { perS: number; usEach: number }[] = []
  for (let turn = 0; turn < turns; turn++) {
    const startMs = performance.now()
    const beforeUs = threadTimeUs(pid)
    await round(requests)
    const tookS = (performance.now() - startMs) / 1000
    rounds.push({ perS: requests / tookS, usEach: (threadTimeUs(pid) - beforeUs) / requests })
  }
  await Promise.all([publisher.endAsync(), subscriber.endAsync()])
  return { perS: figureOf(rounds.map(({ perS }) => perS)), usEach: figureOf(rounds.map(({ usEach }) => usEach)) }
}
