import { expect, test } from 'vitest'
import { demandsOf, sourceOwnerOf } from '../src/house/gateways/shared-source.ts'

const gateway = (gatewayId: string, report: object | null, lastSeenAt = 0) => ({
  gatewayId,
  lastSeenAt,
  sourceReport: report && JSON.stringify(report),
})
const request = { loops: 2, area_m2: 30 }

test('of several gateways the first with a relay for the heat request works it', () => {
  const three = [gateway('a', null), gateway('b', { boiler: true }), gateway('c', { boiler: true })]
  expect(sourceOwnerOf(three)).toBe('b')
  expect(sourceOwnerOf(three.slice(1, 2))).toBeNull()
  expect(sourceOwnerOf([gateway('a', null), gateway('c', {})])).toBeNull()
})

test('a silent gateway neither works the heat source nor asks it for heat', () => {
  const silent = gateway('a', { boiler: true, heat_request: request }, 0)
  const other = gateway('b', { boiler: true }, 6 * 60_000)
  expect(sourceOwnerOf([silent, other])).toBe('b')
  expect(demandsOf([silent, other])).toEqual([])
  expect(sourceOwnerOf([silent, gateway('b', {}, 6 * 60_000)])).toBe('a')
})

test('what each gateway asks of the heat source is passed on under its name', () => {
  expect(demandsOf([gateway('a', { heat_request: request }), gateway('b', { boiler: true })])).toEqual([
    { gateway: 'a', ...request },
  ])
})
