import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { pollIn, textOf } from './poll-bytes.ts'
import type { PollAnswer, Polls } from './polls.ts'

/** Node lets a client that sends at the very end of the announced time be late by this. */
const LATE_MS = 1000

/**
 * Polls are answered on the connection itself as long as nothing else comes on it: Node's parser with its request and
 * its response costs more than the answer. With the first bytes that are not one whole poll, or are not answered by
 * `polls`, the connection goes to Node's server, and stays there.
 */
export function answerPollsOnConnections(app: FastifyInstance, polls: Polls, firstWithinMs: number): void {
  const server: Server = app.server
  const event = 'setSecureContext' in server ? 'secureConnection' : 'connection'
  const accept = server.listeners(event) as ((socket: Socket) => void)[]
  const own = new Map<Socket, PollConnection>()
  let isClosing = false
  const give = (socket: Socket) => {
    own.delete(socket)
    for (const each of accept) each.call(server, socket)
  }
  server.removeAllListeners(event)
  server.on(event, (socket: Socket) => {
    if (isClosing || socket.destroyed) return give(socket)
    own.set(socket, pollConnection(socket, { polls, firstWithinMs, keptMs: server.keepAliveTimeout, give }))
    socket.once('close', () => own.delete(socket))
  })
  app.addHook('preClose', async () => {
    isClosing = true
    for (const connection of own.values()) connection.end()
  })
}

interface PollConnection {
  /** Once the answer under way is sent. */
  end(): void
}

interface PollConnectionParts {
  polls: Polls
  firstWithinMs: number
  keptMs: number
  /** To whom the connection goes when something else comes on it. */
  give(socket: Socket): void
}

/** Answers polls on one connection, until something else comes. */
export function pollConnection(
  socket: Socket,
  { polls, firstWithinMs, keptMs, give }: PollConnectionParts,
): PollConnection {
  const keptS = Math.floor(keptMs / 1000)
  let isBusy = false
  let isEnding = false

  const take = (bytes: Buffer) => {
    const poll = pollIn(bytes)
    if (!poll) return handOver(bytes)
    isBusy = true
    // The end of the connection waits too: it must not overtake the answer.
    socket.pause()
    polls.answer(poll, (answer) => {
      isBusy = false
      if (socket.destroyed) return
      send(answer, bytes)
      if (answer) goOn()
    })
  }
  const send = (answer: PollAnswer | undefined, bytes: Buffer) => {
    if (!answer) return handOver(bytes)
    if (socket.timeout === firstWithinMs) socket.setTimeout(keptMs + LATE_MS)
    if (!socket.write(textOf(answer, keptS), answer.isAscii ? 'latin1' : 'utf8')) socket.pause()
    if (isEnding) socket.destroySoon()
  }
  const goOn = () => {
    if (!isBusy && !socket.writableNeedDrain) socket.resume()
  }
  const end = () => {
    isEnding = true
    if (!isBusy) socket.destroySoon()
  }
  const destroy = () => void socket.destroy()
  const listeners = { data: take, drain: goOn, end, timeout: destroy, error: destroy }

  const handOver = (bytes: Buffer) => {
    for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener)
    socket.setTimeout(0)
    socket.pause()
    // Handed on as it came: the parser reads it again from the beginning.
    socket.unshift(bytes)
    give(socket)
    process.nextTick(() => socket.resume())
  }

  for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener)
  socket.setTimeout(firstWithinMs)
  return { end }
}
