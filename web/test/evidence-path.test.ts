import { expect, test } from 'vitest'
import { pathOf } from '../src/room/evidence-path.ts'

test('a line goes from edge to edge, warm above cold, and is broken where nothing was heard', () => {
  expect(pathOf([20, 21, null, 22], 20, 22)).toBe('M0.0 156.0L200.0 80.0M600.0 4.0')
})

test('a room that hardly changes is not drawn as a mountain', () => {
  expect(pathOf([20, 20.1], 20, 20.1)).toBe('M0.0 156.0L600.0 125.6')
})
