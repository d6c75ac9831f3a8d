import { describe, expect, test } from 'vitest'
import type { Heard } from '../src/adapters/adapter.ts'
import { Strongest } from '../src/adapters/strongest.ts'

const heard = (rssi: number | null, measuredMs: number, id = 'aa:01'): Heard => ({
  id,
  temperature: 20,
  humidity: null,
  batt: null,
  rssi,
  measuredMs,
})

describe('several boxes hearing one sensor', () => {
  const started = () => new Strongest({ collectMs: 3_000, everyMs: 30_000 })

  test('the strongest signal is kept, in whatever order they come', () => {
    for (const order of [
      [-80, -60, null],
      [null, -60, -80],
      [-60, null, -80],
    ]) {
      const strongest = started()
      for (const [i, rssi] of order.entries()) strongest.hear(heard(rssi ?? null, 1000 + i), 1000 + i)
      expect(strongest.due(3_000)).toEqual([])
      expect(strongest.due(6_000)).toMatchObject([{ rssi: -60 }])
      expect(strongest.due(9_000)).toEqual([])
    }
  })

  test('one reading per interval goes on', () => {
    const strongest = started()
    let sent = 0
    for (let ms = 0; ms < 600_000; ms += 500) {
      if (ms % 2_500 === 0) strongest.hear(heard(-70, ms), ms)
      sent += strongest.due(ms).length
    }
    expect(sent).toBe(20)
  })

  test('the very same measurement sent again does not count', () => {
    const strongest = started()
    strongest.hear(heard(null, 5), 0)
    expect(strongest.due(4_000)).toHaveLength(1)
    strongest.hear(heard(null, 5), 90_000)
    expect(strongest.due(99_000)).toEqual([])
  })

  test('sensors do not disturb each other, and the rest is not forgotten at the end', () => {
    const strongest = started()
    strongest.hear(heard(-50, 0, 'aa:01'), 0)
    strongest.hear(heard(-90, 0, 'aa:02'), 0)
    expect(strongest.rest().map(({ id }) => id)).toEqual(['aa:01', 'aa:02'])
    expect(strongest.rest()).toEqual([])
  })

  test('a flood of invented addresses does not fill the memory', () => {
    const strongest = new Strongest({ collectMs: 3_600_000, everyMs: 30_000 })
    for (let i = 0; i < 10_000; i += 1) strongest.hear(heard(-50, i, `aa:${i}`), i)
    const kept = strongest.rest()
    expect(kept.length).toBeLessThanOrEqual(4_096)
    expect(kept.at(-1)?.id).toBe('aa:9999')
  })
})
