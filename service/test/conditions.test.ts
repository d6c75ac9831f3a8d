import { describe, expect, test } from 'vitest'
import { forcedPower } from '../src/house/gateways/conditions.ts'

const reported = (relay: object | null, lock: string | null = null) => ({
  relayReport: relay && JSON.stringify({ channels: [{ channel: 3, auto_off: 'none', ...relay }] }),
  sourceReport: JSON.stringify({ lock }),
})

describe('the share that flows whatever is commanded', () => {
  test.each([
    ['before anything is reported', { relayReport: null, sourceReport: null }, null],
    ['a relay that follows', reported({ state: 'ok' }), null],
    ['a relay that does not answer', reported({ state: 'silent' }), 0],
    ['a relay that stays on', reported({ state: 'contradicts', stuck: 'open' }), 1],
    ['a relay that stays off', reported({ state: 'contradicts', stuck: 'closed' }), 0],
    ['a source that makes hot water', reported({ state: 'ok' }, 'hot_water'), 0],
    ['a flow that is too hot', reported(null, 'flow_temperature'), 0],
  ])('%s', (_, conditions, power) => {
    expect(forcedPower(conditions, 3, false)).toBe(power)
  })

  test('a mat heats also while the source is locked', () => {
    expect(forcedPower(reported({ state: 'ok' }, 'hot_water'), 3, true)).toBe(null)
  })
})
