import type { FastifyInstance } from 'fastify'
import { keyView } from '../../keys/keys.ts'
import { Ref, readResponses } from './schemas.ts'

export function keyRoutes(app: FastifyInstance): void {
  app.get(
    '/key',
    {
      schema: {
        operationId: 'getKey',
        summary: 'The key in use',
        description: 'Tells an integration whether it may write.',
        tags: ['Key'],
        response: readResponses('The key, without its value.', Ref('Key')),
      },
    },
    async (request) => keyView(request.apiKey),
  )
}
