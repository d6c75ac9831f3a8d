import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { acceptedIn } from './accepted.ts'

/** Below this, the processor time costs more than the bytes saved. */
const WORTH_IT_BYTES = 8 * 1024
/** Answers are made for one reader: the best quality would take longer than sending the text. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const compressors = {
  br: (text: string) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text: string) => promisify(gzip)(text),
}
type Encoding = keyof typeof compressors

/** Large JSON answers, for readers that accept it. */
export function compressLargeAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || !isWorthCompressing(Buffer.byteLength(payload))) return done(null, payload)
    reply.header('vary', 'Accept-Encoding')
    const encoding = chosenEncoding(request.headers['accept-encoding'])
    if (!encoding) return done(null, payload)
    reply.header('content-encoding', encoding).removeHeader('content-length')
    compressors[encoding](payload).then((compressed) => done(null, compressed), done)
  })
}

const isWorthCompressing = (bytes: number): boolean => bytes >= WORTH_IT_BYTES

/** The better one of those the reader accepts. */
function chosenEncoding(header: string | string[] | undefined): Encoding | undefined {
  const accepted = acceptedIn(header)
  return (['br', 'gzip'] as const).find((name) => accepted.includes(name))
}
