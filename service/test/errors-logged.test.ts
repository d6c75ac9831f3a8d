import Fastify, { LogController } from 'fastify'
import { expect, test } from 'vitest'
import { handleErrors } from '../src/doors/http/errors.ts'
import { StoreError } from '../src/store/store.ts'

test('a disk that is full is one line in the log, however many requests meet it; another error is a line each', async () => {
  const lines: string[] = []
  const app = Fastify({
    logger: { level: 'error', stream: { write: (line: string) => void lines.push(line) } },
    logController: new LogController({ disableRequestLogging: true }),
  })
  handleErrors(app)
  app.get('/full', async () => {
    throw new StoreError('unavailable', 'database or disk is full')
  })
  app.get('/broken', async () => {
    throw new Error('unexpected')
  })
  for (let n = 0; n < 20; n++) expect((await app.inject('/full')).statusCode).toBe(503)
  for (let n = 0; n < 2; n++) expect((await app.inject('/broken')).statusCode).toBe(500)
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['unavailable', 'internal_error', 'internal_error'])
  await app.close()
})
