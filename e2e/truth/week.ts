import { HOUR_MS, timestampOf } from '@hypocaust/domain'
import type { SimulatedHouse } from './house.ts'

/** What people do and what fails in a week, by the hour since its start. */
export const EVENTS: [hour: number, name: string, event: (house: SimulatedHouse) => unknown][] = [
  [3, 'a boost', (house) => override(house, 'Kitchen', { boost: 2, hours: 1 })],
  [
    6,
    'rooms may cool while nobody is home',
    async (house) => {
      await patch(house, { presence_rule: { after_minutes: 15, target_temperature: 17, warm_again_hours: 2 } })
      await present(house, true)
    },
  ],
  [8, 'prices', (house) => patch(house, { tariff: PRICES, heat_source: { kind: 'boiler' } })],
  [10, 'everybody leaves', (house) => present(house, false)],
  [13, 'everybody comes back', (house) => present(house, true)],
  [
    14,
    'warmer in the night until the next step',
    (house) => override(house, 'Living room', { target_temperature: 21, next_step: true }),
  ],
  [20, 'a week programme', (house) => room(house, 'Bedroom', { programme: PROGRAMME })],
  [26, 'manual power', (house) => override(house, 'Child’s room', { power: 0.4, hours: 3 })],
  [30, 'off', (house) => room(house, 'Kitchen', { hvac_mode: 'off' })],
  [36, 'off for a while', (house) => override(house, 'Hall', { hvac_mode: 'off', hours: 5 })],
  [40, 'on again', (house) => room(house, 'Kitchen', { hvac_mode: 'heat' })],
  [
    44,
    'an absence that begins later',
    (house) => patch(house, { away: { from: ahead(house, 2), until: ahead(house, 24), temperature: 16 } }),
  ],
  [
    72,
    'a sensor fails',
    (house) => {
      house.room('Cellar').isMeasured = false
    },
  ],
  [
    76,
    'the gateway is lost',
    (house) => {
      house.isConnected = false
    },
  ],
  [
    78,
    'the gateway is back',
    (house) => {
      house.isConnected = true
    },
  ],
  [
    84,
    'the sensor is back',
    (house) => {
      house.room('Cellar').isMeasured = true
    },
  ],
  [85, 'everybody leaves again', (house) => present(house, false)],
  [89, 'everybody comes back again', (house) => present(house, true)],
  [90, 'everything off', (house) => allRooms(house, 'off')],
  [100, 'everything back', (house) => allRooms(house, 'back')],
  [104, 'a search for loops', (house) => house.ask('POST', `${path(house)}/loops/search`)],
  [116, 'the search is stopped', (house) => house.ask('DELETE', `${path(house)}/loops/run`)],
  [
    117,
    'a test of a loop',
    (house) =>
      house.ask('POST', `${path(house)}/loops/test`, { gateway_id: gatewayOf(house), channel: 2, minutes: 60 }),
  ],
  [
    122,
    'manual power without an end',
    (house) => room(house, 'Bathroom', { manual_power: { enabled: true, power: 0.2 } }),
  ],
  [130, 'back to automatic', (house) => room(house, 'Bathroom', { hvac_mode: 'heat' })],
  [136, 'a warmer room from now on', (house) => room(house, 'Cellar', { target_temperature: 19 })],
  [142, 'one degree less everywhere', (house) => allRooms(house, 'lower')],
  [150, 'more than the floor can', (house) => room(house, 'Cellar', { target_temperature: 26 })],
]

const PRICES = {
  kind: 'times',
  steps: [
    { at: '00:00', price: 0.12 },
    { at: '06:00', price: 0.35 },
    { at: '22:00', price: 0.12 },
  ],
}
const DAY = [
  { at: '06:00', setback: 0 },
  { at: '09:00', setback: 1.5 },
  { at: '20:00', setback: 0 },
  { at: '23:00', setback: 2 },
]
const PROGRAMME = { monday: DAY, tuesday: DAY, wednesday: DAY, thursday: DAY, friday: DAY, saturday: DAY, sunday: DAY }

const path = (house: SimulatedHouse) => `/app/buildings/${house.buildingId}`
const ahead = (house: SimulatedHouse, hours: number) => timestampOf(house.nowMs + hours * HOUR_MS)
const room = (house: SimulatedHouse, name: string, body: object) =>
  house.ask('PATCH', `/app/rooms/${house.room(name).id}`, body)
const override = (house: SimulatedHouse, name: string, body: object) =>
  house.ask('PUT', `/app/rooms/${house.room(name).id}/override`, body)
const patch = (house: SimulatedHouse, body: object) => house.ask('PATCH', path(house), body)
const present = (house: SimulatedHouse, home: boolean) =>
  house.ask('PUT', `${path(house)}/presence`, { people: [{ name: 'Ada', home }] })
const allRooms = (house: SimulatedHouse, action: string) => house.ask('POST', `${path(house)}/all-rooms`, { action })
const gatewayOf = (house: SimulatedHouse) => house.gatewayId
