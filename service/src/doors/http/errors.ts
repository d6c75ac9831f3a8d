import type { Socket } from 'node:net'
import type { AppErrorBody } from '@hypocaust/domain'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { systemClock } from '../../base/clock.ts'
import { errors, ServiceError } from '../../base/errors.ts'
import { OncePerMinute } from '../../base/once-per-minute.ts'
import type { RequestErrors } from '../../people/fleet/request-errors.ts'
import { StoreError, type StoreErrorKind } from '../../store/store.ts'
import { JSON_UTF8 } from './body.ts'
import { refusalOf } from './validation.ts'

/** Every failure leaves in the one form, and an unexpected one reveals nothing. */
export function handleErrors(app: FastifyInstance, kept?: Pick<RequestErrors, 'note'>): void {
  const complaints = new OncePerMinute(systemClock)
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = translate(error, request)
    if (isWorthALine(error, known, complaints)) {
      request.log.error({ err: error }, known.code)
      const { method, id, routeOptions } = request
      const route = `${method} ${routeOptions.url ?? 'none'}`
      kept?.note({ requestId: String(id), route, status: known.status, message: error.message })
    }
    return sendError(reply, known)
  })
}

function isWorthALine(error: FastifyError, { status, code }: ServiceError, complaints: OncePerMinute): boolean {
  // The caller hung up in the middle of its request: nothing is wrong here, and nobody hears the answer.
  if (status < 500 || error.code === 'ECONNRESET') return false
  if (code !== 'unavailable') return true
  // The service's own 503 needs no explanation; a full disk or a lost database fails every request alike.
  return !(error instanceof ServiceError) && complaints.isFirst(error.message)
}

export function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  return reply.code(error.status).headers(error.headers).type(JSON_UTF8).send(bodyOf(error))
}

export const pathOf = (url: string): string => url.split('?', 1)[0] ?? url

export const bodyOf = ({ code, message }: ServiceError): AppErrorBody => ({ error: { code, message } })

const BY_FRAMEWORK_CODE: Record<string, (request: FastifyRequest) => ServiceError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ routeOptions }) => errors.bodyTooLarge(routeOptions.bodyLimit),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: errors.unsupportedMediaType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: errors.invalidJson,
}

/** Every route looks before it writes; where a constraint still refuses the write, another request came in between. */
const BY_STORE_KIND: Partial<Record<StoreErrorKind, () => ServiceError>> = {
  foreign_key: errors.removedMeanwhile,
  unique: errors.cameSecond,
  unavailable: errors.unavailable,
  moving: errors.moving,
}

function translate(error: FastifyError, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof StoreError) return (BY_STORE_KIND[error.kind] ?? errors.internal)()
  const [problem] = error.validation ?? []
  if (problem) return refusalOf(problem, error.validationContext)
  return BY_FRAMEWORK_CODE[error.code]?.(request) ?? errors.internal()
}

/** The answer has this long to leave: a peer that never closes its side would keep the socket otherwise. */
const LINGER_MS = 1000

/** Node's own refusals happen on the bare socket, before there is a request. */
export function answerBrokenConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const release = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(release))
  const known = ofSocketError(error.code)
  const body = JSON.stringify(bodyOf(known))
  socket.end(
    [
      `HTTP/1.1 ${known.status} ${known.code}`,
      `content-type: ${JSON_UTF8}`,
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${crypto.randomUUID()}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

function ofSocketError(code: string | undefined): ServiceError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return errors.requestTimeout()
    case 'HPE_HEADER_OVERFLOW':
      return errors.headersTooLarge()
    default:
      return errors.invalidValue('The request is not valid HTTP.')
  }
}
