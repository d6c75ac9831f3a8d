import type { FastifyInstance } from 'fastify'
import { keyView } from '../../../people/keys/keys.ts'
import { ReadHeaders, readResponses, success } from './schemas.ts'

export function keyRoutes(app: FastifyInstance): void {
  app.get(
    '/key',
    {
      schema: {
        operationId: 'getKey',
        summary: 'The key in use',
        description: 'Lets an integration find out whether it may write.',
        tags: ['Key'],
        headers: ReadHeaders,
        response: readResponses(success('The key, without its value.', 'Key')),
      },
    },
    async (request) => keyView(request.apiKey),
  )
}
