import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Answer } from './answer.ts'
import type { Polls } from './polls.ts'
import { changeIn, pollIn, textOf } from './request-bytes.ts'
import type { RoomChanges } from './room-changes.ts'

/** Node lets a client that sends at the very end of the announced time be late by this. */
const LATE_MS = 1000

type Done = (answer: Answer | undefined) => void

/** How the request that these bytes are is answered; undefined if they are none that can be answered here. */
export type AnswererOf = (bytes: Buffer) => ((done: Done) => void) | undefined

export const pollsAndChanges =
  (polls: Polls, changes: RoomChanges): AnswererOf =>
  (bytes) => {
    const poll = pollIn(bytes)
    if (poll) return (done) => polls.answer(poll, done)
    const change = changeIn(bytes)
    return change && ((done) => changes.answer(change, done))
  }

/**
 * Polls and changes of rooms are answered on the connection itself as long as nothing else comes on it: Node's parser
 * with its request and its response costs more than the answer to a poll. With the first bytes that are not one whole
 * request of these kinds, or are refused, the connection goes to Node's server, and stays there.
 */
export function answerOnConnections(app: FastifyInstance, answererOf: AnswererOf, firstWithinMs: number): void {
  const server: Server = app.server
  const event = 'setSecureContext' in server ? 'secureConnection' : 'connection'
  const accept = server.listeners(event) as ((socket: Socket) => void)[]
  const own = new Map<Socket, OwnConnection>()
  let isClosing = false
  const give = (socket: Socket) => {
    own.delete(socket)
    for (const each of accept) each.call(server, socket)
  }
  server.removeAllListeners(event)
  server.on(event, (socket: Socket) => {
    if (isClosing || socket.destroyed) return give(socket)
    own.set(socket, ownConnection(socket, { answererOf, firstWithinMs, keptMs: server.keepAliveTimeout, give }))
    socket.once('close', () => own.delete(socket))
  })
  app.addHook('preClose', async () => {
    isClosing = true
    for (const connection of own.values()) connection.end()
  })
}

interface OwnConnection {
  /** Once the answer under way is sent. */
  end(): void
}

interface OwnConnectionParts {
  answererOf: AnswererOf
  firstWithinMs: number
  keptMs: number
  /** To whom the connection goes when something else comes on it. */
  give(socket: Socket): void
}

/** Answers what comes on one connection, until it is something else. */
export function ownConnection(
  socket: Socket,
  { answererOf, firstWithinMs, keptMs, give }: OwnConnectionParts,
): OwnConnection {
  const keptS = Math.floor(keptMs / 1000)
  let isBusy = false
  let isEnding = false

  const take = (bytes: Buffer) => {
    const answer = answererOf(bytes)
    if (!answer) return handOver(bytes)
    isBusy = true
    socket.pause()
    answer((answered) => {
      isBusy = false
      if (socket.destroyed) return
      if (answered) send(answered)
      else if (socket.readableEnded) destroy()
      else handOver(bytes)
    })
  }
  const send = (answer: Answer) => {
    if (socket.timeout === firstWithinMs) socket.setTimeout(keptMs + LATE_MS)
    if (!socket.write(textOf(answer, keptS), answer.isAscii ? 'latin1' : 'utf8')) socket.pause()
    if (isEnding) socket.destroySoon()
    else goOn()
  }
  const goOn = () => {
    if (!isBusy && !isEnding && !socket.writableNeedDrain) socket.resume()
  }
  const end = () => {
    isEnding = true
    if (!isBusy) socket.destroySoon()
  }
  const destroy = () => void socket.destroy()
  // Who waits for an answer is not silent.
  const timeout = () => {
    if (!isBusy) destroy()
  }
  const listeners = { data: take, drain: goOn, end, timeout, error: destroy }

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
