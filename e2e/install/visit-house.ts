// Opens the house of a release over /v1 with the keys of then, and sets a target: node visit-house.ts URL HOUSE_JSON TARGET
// Prints the room as it was, and the target it has now.
import { readFileSync } from 'node:fs'
import type { Room } from '@hypocaust/domain'
import { eventually } from '@hypocaust/testing/eventually.ts'
import type { ReleasedHouse } from '../releases/house.ts'

const [url = '', file = '', target = ''] = process.argv.slice(2)
const { buildingId, roomId, readKey, writeKey }: ReleasedHouse = JSON.parse(readFileSync(file, 'utf8'))
const path = `${url}/v1/buildings/${buildingId}/rooms/${roomId}`

await eventually(() =>
  fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  ),
)
const room = await ask(readKey)
const changed = await ask(writeKey, {
  method: 'PATCH',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ target_temperature: Number(target) }),
})
console.log(JSON.stringify({ room, target: changed.target_temperature }))

async function ask(key: string, { headers, ...init }: RequestInit = {}): Promise<Room> {
  const answer = await fetch(path, { ...init, headers: { ...headers, 'x-api-key': key } })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return answer.json() as Promise<Room>
}
