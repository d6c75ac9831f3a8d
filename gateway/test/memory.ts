// Prints the memory of a real agent at work: sensors speaking every second, a command every half minute for eight channels.
//   node gateway/test/memory.ts [seconds] [sensors]
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startMain } from '@hypocaust/testing/agent-process.ts'
import { startMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { Party } from '@hypocaust/testing/party.ts'

const ID = '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'
const CHANNELS = 8
const seconds = Number(process.argv[2] ?? 60)
const sensors = Number(process.argv[3] ?? 30)

const folder = mkdtempSync(join(tmpdir(), 'memory-'))
const broker = await startMosquitto()
const party = await Party.join(broker.url)
const channels = Array.from({ length: CHANNELS }, (_, i) => i + 1)
writeFileSync(
  join(folder, 'gateway.yaml'),
  JSON.stringify({
    service: { url: broker.url, gateway_id: ID, token: 'hypg_secret' },
    devices: { url: broker.url },
    sensors: { every_s: 5 },
    channels: channels.map((channel) => ({ channel, driver: 'shelly', topic: 'shellypro4pm', output: channel - 1 })),
  }),
)
const { child, exit } = startMain(['run'], folder, process.env)
await party.on(`hypocaust/v1/${ID}/up/heartbeat`)

let readings = 0
for (let second = 0; second < seconds; second += 1) {
  sayAll(second)
  await sleep(1000)
  answer()
}
const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
const io = readFileSync(`/proc/${child.pid}/io`, 'utf8')
const megabytes = (field: string) => (Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1000).toFixed(0)
const written = Number(/write_bytes: (\d+)/.exec(io)?.[1])
console.log(
  `resident ${megabytes('VmRSS')} MB, at most ${megabytes('VmHWM')} MB, after ${seconds} s with ${sensors} sensors`,
)
console.log(`${readings} readings, ${(written / readings / 1000).toFixed(1)} kB written to disk for each`)

child.kill('SIGTERM')
await exit
await party.leave()
await broker.stop()
rmSync(folder, { recursive: true })

function sayAll(second: number): void {
  for (let i = 0; i < sensors; i += 1) {
    const id = `A4:C1:38:00:00:${i.toString(16).padStart(2, '0').toUpperCase()}`
    const said = { id, name: 'ATC', rssi: -70, brand: 'Xiaomi', tempc: 20 + (second % 10) / 10, hum: 47, batt: 81 }
    party.say(`home/OMG_B1/BTtoMQTT/${id.replaceAll(':', '')}`, said)
  }
  if (second % 30 !== 0) return
  const valves = channels.map((channel) => ({ channel, power: (second % 7) / 10, window_s: 900 }))
  const issued = new Date().toISOString()
  party.say(`hypocaust/v1/${ID}/down/power`, { epoch: 1, seq: second, issued, valid_s: 2700, valves })
}

function answer(): void {
  for (const { topic, text } of party.heard.splice(0)) {
    if (topic !== `hypocaust/v1/${ID}/up/readings`) continue
    const message = JSON.parse(text)
    readings += message.readings.length
    party.say(`hypocaust/v1/${ID}/down/commit`, { boot: message.boot, n: message.n })
  }
}
