import { expect, test } from 'vitest'
import { drawRoom, winterOf } from '../src/mould/winter.ts'

test('with the right factor nearly all hours at risk are warned of, and false warnings are rare', () => {
  const winters = Array.from({ length: 20 }, (_, number) => drawRoom(number)).map((room) =>
    winterOf(room, [room.factor]),
  )
  const sum = (pick: (winter: (typeof winters)[number]) => number) => winters.reduce((all, each) => all + pick(each), 0)
  const warned = sum(({ warnings }) => warnings[0]?.rightH ?? 0)
  expect(warned / sum(({ riskH }) => riskH)).toBeGreaterThan(0.9)
  expect(sum(({ warnings }) => warnings[0]?.falseCount ?? 0) / winters.length).toBeLessThan(0.25)
})
