import { start } from '@hypocaust/testing/command.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { TraceCollector } from '@hypocaust/testing/trace-collector.ts'
import { expect, test } from 'vitest'

const SERVE = ['serve', '--port', '0', '--mqtt-port', '0', '--log-level', 'error']

test('a process that is asked to end sends its spans first, and ends with 0', async () => {
  const collector = new TraceCollector()
  await collector.start()
  const folder = temporaryFolder()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '60000' }
  const running = await start(folder.path, SERVE, env)
  expect((await fetch(`${running.url}/v1/buildings`)).status).toBe(401)
  expect(collector.spans).toEqual([])
  expect(await running.end('SIGTERM')).toBe(0)
  expect(collector.spans.map(({ name }) => name)).toContain('GET /v1/buildings')
  folder.remove()
  await collector.stop()
})

test('one whose collector hangs ends with 0 all the same', async () => {
  const collector = new TraceCollector()
  await collector.start()
  collector.answer = () => new Promise(() => {})
  const folder = temporaryFolder()
  const running = await start(folder.path, SERVE, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  expect((await fetch(`${running.url}/v1/buildings`)).status).toBe(401)
  expect(await running.end('SIGTERM')).toBe(0)
  expect(collector.spans).toEqual([])
  folder.remove()
  await collector.stop()
})

test('a variable that does not fit keeps the process from starting, and is named', async () => {
  const folder = temporaryFolder()
  await expect(start(folder.path, SERVE, { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' })).rejects.toThrow(
    'OTEL_EXPORTER_OTLP_ENDPOINT must be an address',
  )
  folder.remove()
})
