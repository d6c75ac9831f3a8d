// Raises the target of a room over /v1 and waits until it heats: node heat-room.ts URL WRITE_KEY
import type { Room } from '@hypocaust/domain'
import { eventually } from '@hypocaust/testing/eventually.ts'

const [url = '', key = ''] = process.argv.slice(2)
const headers = { 'x-api-key': key, 'content-type': 'application/json' }

const [building] = await read<{ id: string }[]>('/v1/buildings')
const rooms = `/v1/buildings/${building?.id}/rooms`
const [room] = await read<Room[]>(rooms)
if (!room) throw new Error('the house has no room')
const body = JSON.stringify({ target_temperature: 30, hvac_mode: 'heat' })
const changed = await fetch(`${url}${rooms}/${room.id}`, { method: 'PATCH', headers, body })
if (!changed.ok) throw new Error(`PATCH: ${changed.status} ${await changed.text()}`)
const heated = await eventually(async () => {
  const now = await read<Room>(`${rooms}/${room.id}`)
  return now.hvac_action === 'heating' && (now.power ?? 0) > 0 && now
})
console.log(JSON.stringify({ name: heated.name, action: heated.hvac_action, power: heated.power }))

async function read<T>(path: string): Promise<T> {
  const answer = await fetch(url + path, { headers })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json() as Promise<T>
}
