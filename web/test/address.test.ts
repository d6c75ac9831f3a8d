import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paramsIn, pathTo } from '../src/routing/address.ts'

test('what is filled into a path is found in it again', () => {
  const pattern = '/buildings/$buildingId/rooms/$roomId'
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), fc.string({ minLength: 1 }), (buildingId, roomId) => {
      const params = { buildingId, roomId }
      expect(paramsIn(pattern, pathTo({ to: pattern, params }))).toEqual(params)
    }),
  )
})

test('a path belongs to a pattern of the same parts, and no name in it is empty', () => {
  expect(paramsIn('/rooms/$roomId', '/rooms/7')).toEqual({ roomId: '7' })
  expect(paramsIn('/rooms/$roomId', '/rooms/')).toBeUndefined()
  expect(paramsIn('/rooms/$roomId', '/rooms/7/settings')).toBeUndefined()
  expect(paramsIn('/rooms/$roomId', '/rooms/%E0%A4%A')).toEqual({ roomId: '%E0%A4%A' })
  expect(paramsIn('/', '/')).toEqual({})
  expect(pathTo({ to: '/buildings/$id/changes', params: { id: 'a b' }, search: { room: 'x&y' } })).toBe(
    '/buildings/a%20b/changes?room=x%26y',
  )
})
