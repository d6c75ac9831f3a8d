import { beforeEach, expect, test } from 'vitest'
import { ServiceAddresses } from '../src/base/service-addresses.ts'

const GIVEN = 'mqtts://cell-1.example:8883'
const MOVED = 'mqtts://cell-2.example:8883'
const FIVE_MINUTES_MS = 300_000

let disk: Map<string, unknown>
const store = {
  get: <T>(key: string) => disk.get(key) as T | undefined,
  put: (key: string, value: unknown) => void disk.set(key, value),
}
const opened = (given = GIVEN, nowMs = 0) => new ServiceAddresses(store, given, nowMs)

beforeEach(() => {
  disk = new Map()
})

test('the address that the gateway was given counts until the service names another', () => {
  const addresses = opened()
  expect(addresses.current).toBe(GIVEN)
  expect(addresses.move(MOVED, 0)).toBe(true)
  expect(addresses.current).toBe(MOVED)
})

test('the one that was named counts after a restart too, until the gateway is paired anew', () => {
  opened().move(MOVED, 0)
  expect(opened().current).toBe(MOVED)
  expect(opened('mqtts://other.example:8883').current).toBe('mqtts://other.example:8883')
})

test('the same one again is no news', () => {
  const addresses = opened()
  addresses.move(MOVED, 0)
  expect(addresses.move(MOVED, 1)).toBe(false)
})

test('one without TLS does not take the place of one with it', () => {
  const addresses = opened()
  expect(addresses.move('mqtt://cell-2.example', 0)).toBe(false)
  expect(addresses.current).toBe(GIVEN)
  expect(opened('mqtt://cell-1.local').move('mqtt://cell-2.local', 0)).toBe(true)
})

test('where the new one cannot be reached for five minutes the first one is asked again, and so on in turn', () => {
  const addresses = opened()
  addresses.move(MOVED, 0)
  expect(addresses.step(false, FIVE_MINUTES_MS - 1)).toBe(false)
  expect(addresses.step(false, FIVE_MINUTES_MS)).toBe(true)
  expect(addresses.current).toBe(GIVEN)
  expect(addresses.step(false, 2 * FIVE_MINUTES_MS)).toBe(true)
  expect(addresses.current).toBe(MOVED)
})

test('a connection keeps its address, and one that was never moved has no other', () => {
  const addresses = opened()
  addresses.move(MOVED, 0)
  expect(addresses.step(true, FIVE_MINUTES_MS)).toBe(false)
  expect(addresses.step(false, 2 * FIVE_MINUTES_MS - 1)).toBe(false)
  const still = opened('mqtts://other.example')
  expect(still.step(false, 10 * FIVE_MINUTES_MS)).toBe(false)
})

test('the first one names the new one again, and is followed', () => {
  const addresses = opened()
  addresses.move(MOVED, 0)
  addresses.step(false, FIVE_MINUTES_MS)
  expect(addresses.move(MOVED, FIVE_MINUTES_MS)).toBe(true)
  expect(addresses.current).toBe(MOVED)
})
