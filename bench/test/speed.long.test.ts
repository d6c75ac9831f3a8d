import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { expect, test } from 'vitest'
import { Driver, requestBytes } from '../src/speed/driver.ts'
import { readSpeedOptions } from '../src/speed/options.ts'
import { withSpeedFigures } from '../src/speed/performance-page.ts'
import { speedPlot } from '../src/speed/plot.ts'
import { isFarBelow, type Row, thisMachine, verdictOf } from '../src/speed/result.ts'
import { alternate, figureOf, ratioOf } from '../src/speed/rounds.ts'
import { tableOf } from '../src/speed/table.ts'

const poll = (median: number): Row => ({
  id: 'poll',
  name: 'poll',
  unit: '×',
  figure: { median, low: median, high: median },
  aim: { poor: 0.5, goal: 0.75, better: 'more' },
})

test('the driver sends exactly as many requests as asked, and fails at an answer that was not meant', async () => {
  let asked = 0
  const server = createServer((request, response) => {
    asked++
    response.writeHead(request.url === '/gone' ? 404 : 200).end('x'.repeat(5000))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const driver = await Driver.connect(url, 4)
  const { answered } = await driver.run(50, 200, () => requestBytes('GET', '/'))
  expect([answered, asked]).toEqual([50, 50])
  await expect(driver.run(1, 200, () => requestBytes('GET', '/gone'))).rejects.toThrow('expected 200')
  driver.close()
  server.close()
})

test('a bench that is killed leaves no server and no folder', async () => {
  const folder = temporaryFolder()
  const bench = spawn(
    process.execPath,
    [join(import.meta.dirname, '../src/speed/main.ts'), '--quick', '--part', 'poll', '--engine', 'sqlite'],
    { env: { ...process.env, TMPDIR: folder.path }, stdio: 'ignore' },
  )
  const ended = once(bench, 'exit')
  await eventually(() => processesIn(folder.path).some(({ command }) => command.includes('ready-server')))
  bench.kill('SIGKILL')
  await ended
  await eventually(() => processesIn(folder.path).length === 0 && readdirSync(folder.path).length === 0)
  folder.remove()
})

/** The processes that were started with this folder for their temporary files. */
function processesIn(folder: string): { pid: string; command: string }[] {
  const read = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'latin1')
    } catch {
      return ''
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(name, 'environ').includes(`TMPDIR=${folder}`))
    .map((pid) => ({ pid, command: read(pid, 'cmdline') }))
}

test('contestants take turns in changing order, and a ratio is made within one turn', async () => {
  const order: string[] = []
  const contestant = (name: string, value: number) => ({
    name,
    round: async () => {
      order.push(name)
      return value
    },
  })
  const values = await alternate([contestant('bare', 50), contestant('ours', 100)], 2)
  expect(order).toEqual(['bare', 'ours', 'bare', 'ours', 'ours', 'bare'])
  expect(ratioOf(values, 'ours', 'bare').median).toBe(0.5)
})

test('a figure is the median with its quartiles', () => {
  expect(figureOf([5, 1, 3, 2, 4])).toEqual({ median: 3, low: 2, high: 4 })
})

test('a figure reaches its goal, is on the way, or is not done; CI fails at half of that', () => {
  expect([0.8, 0.6, 0.4, 0.2].map((value) => verdictOf(poll(value)))).toEqual([
    'goal',
    'on the way',
    'not done',
    'not done',
  ])
  expect([0.3, 0.2].map((value) => isFarBelow(poll(value)))).toEqual([false, true])
})

test('table and plot show every figure with its goal', () => {
  const result = { measuredAt: '2026-01-10T08:15:03.000Z', tookS: 1, quick: true, machine: thisMachine(), missing: [] }
  expect(tableOf({ ...result, rows: [poll(0.6)] })).toMatch(/poll +0\.6 × +< 0\.5 +0\.75 +on the way/)
  expect(speedPlot({ ...result, rows: [poll(0.6)] })).toContain('0.6 ×, goal 0.75')
  const page = '# Performance\n<!-- figures: written by npm run bench:speed -->\nold\n<!-- end of figures -->\nrest'
  expect(withSpeedFigures(page, { ...result, rows: [poll(0.6)] })).toMatch(
    /\| poll \| 0\.6 × \|.*\| on the way \|\n\n<!-- end/,
  )
})

test('only a full run replaces the results that are kept', () => {
  expect(readSpeedOptions([])).toMatchObject({ outFile: 'bench/results/speed.json' })
  expect(readSpeedOptions(['--part', 'poll'])).toMatchObject({ outFile: null, parts: ['poll'] })
  expect(readSpeedOptions(['--check'])).toMatchObject({ outFile: null, parts: ['poll'], engines: ['sqlite'] })
  expect(() => readSpeedOptions(['--part', 'nothing'])).toThrow('No such part: nothing')
})
