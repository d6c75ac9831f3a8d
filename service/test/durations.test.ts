import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { Durations } from '../src/base/durations.ts'

test('durations are exported as a histogram, series by series', async () => {
  const registry = new Registry()
  const durations = new Durations({
    name: 'answer_seconds',
    help: 'How long.',
    labelNames: ['route'],
    bounds: [0.1, 1],
    registry,
  })
  durations.labels('/a').observe(0.1)
  durations.labels('/a').observe(0.25)
  durations.labels('/a').observe(2)
  durations.labels('/b').observe(0.5)
  expect(await registry.metrics()).toBe(
    [
      '# HELP answer_seconds How long.',
      '# TYPE answer_seconds histogram',
      'answer_seconds_bucket{route="/a",le="0.1"} 1',
      'answer_seconds_bucket{route="/a",le="1"} 2',
      'answer_seconds_bucket{route="/a",le="+Inf"} 3',
      'answer_seconds_sum{route="/a"} 2.35',
      'answer_seconds_count{route="/a"} 3',
      'answer_seconds_bucket{route="/b",le="0.1"} 0',
      'answer_seconds_bucket{route="/b",le="1"} 1',
      'answer_seconds_bucket{route="/b",le="+Inf"} 1',
      'answer_seconds_sum{route="/b"} 0.5',
      'answer_seconds_count{route="/b"} 1',
      '',
    ].join('\n'),
  )
})
