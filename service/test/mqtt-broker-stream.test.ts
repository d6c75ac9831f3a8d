import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BrokerStream } from '../src/doors/mqtt/broker-stream.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const opened = (take: (bytes: Buffer) => boolean) => {
  const socket = new PassThrough()
  const stream = new BrokerStream(socket as unknown as Socket, take)
  stream.on('error', () => {})
  return { socket, stream }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a gateway of which the broker sees no packet is not silent', async () => {
  const { socket, stream } = opened(() => true)
  stream.endAfterSilenceOf(1500)
  for (let second = 0; second < 10; second++) {
    vi.advanceTimersByTime(1000)
    socket.emit('data', Buffer.from('x'))
  }
  expect(stream.destroyed).toBe(false)
  vi.advanceTimersByTime(1499)
  expect(stream.destroyed).toBe(false)
  vi.advanceTimersByTime(1)
  expect([stream.destroyed, socket.destroyed]).toEqual([true, true])
})

test('the broker gets what is not taken, and nothing else', async () => {
  const { socket, stream } = opened((bytes) => bytes.toString() === 'taken')
  const got: string[] = []
  stream.on('data', (bytes) => got.push(String(bytes)))
  for (const text of ['first', 'taken', 'second']) socket.emit('data', Buffer.from(text))
  await turn()
  expect(got).toEqual(['first', 'second'])
})

test('nothing is read while there is no room, nor while a gateway does not read what it is sent', async () => {
  const { socket, stream } = opened(() => true)
  let makeRoom = () => {}
  stream.holdUntil(
    new Promise((resolve) => {
      makeRoom = resolve
    }),
  )
  vi.spyOn(socket, 'write').mockReturnValue(false)
  stream.send(Buffer.from('x'))
  expect(socket.isPaused()).toBe(true)
  makeRoom()
  await turn()
  stream.read(0)
  expect(socket.isPaused()).toBe(true)
  socket.emit('drain')
  await turn()
  expect(socket.isPaused()).toBe(false)
})

test('the parts of a packet are sent together', async () => {
  const { socket, stream } = opened(() => true)
  const corked: number[] = []
  vi.spyOn(socket, 'write').mockImplementation(() => {
    corked.push(socket.writableCorked)
    return true
  })
  stream.cork()
  stream.write('a')
  stream.write('b')
  stream.uncork()
  await turn()
  expect(corked).toEqual([1, 1])
  expect(socket.writableCorked).toBe(0)
})

test('packets of one turn are sent together', async () => {
  const { socket, stream } = opened(() => true)
  const written: string[] = []
  vi.spyOn(socket, 'write').mockImplementation((bytes) => {
    written.push(String(bytes))
    return true
  })
  for (const text of ['a', 'b']) stream.send(Buffer.from(text))
  await turn()
  stream.send(Buffer.from('c'))
  await turn()
  expect(written).toEqual(['ab', 'c'])
})
