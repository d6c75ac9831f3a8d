// A Bluetooth thermometer behind OpenMQTTGateway and a Tasmota relay, played on a broker: node play-devices.ts URL
// Prints each state of the relay.
import { connectAsync } from 'mqtt'

const client = await connectAsync(process.argv[2] ?? '')
let state = 'OFF'

const say = (topic: string, value: object) => client.publishAsync(topic, JSON.stringify(value))
const speak = async () => {
  await say('home/OMG_1/BTtoMQTT/A4C1385E0102', { id: 'A4:C1:38:5E:01:02', tempc: 18.5, hum: 40, rssi: -60 })
  await say('tele/valve/STATE', { POWER: state })
}

client.on('message', async (topic, payload) => {
  if (topic !== 'cmnd/valve/POWER' && topic !== 'cmnd/valve/POWER1') return
  const wanted = payload.toString().toUpperCase()
  if (wanted !== 'ON' && wanted !== 'OFF') return
  state = wanted
  console.log(`valve ${state}`)
  await say('stat/valve/RESULT', { POWER: state })
})
await client.subscribeAsync('cmnd/#')
await speak()
setInterval(speak, 1000)
