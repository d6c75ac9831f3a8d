import type { FastifyInstance } from 'fastify'
import { keyView } from '../../../people/keys/keys.ts'
import { ReadHeaders, readResponses, success } from './schemas.ts'

/** Which service answers, under whatever address: an integration recognises one that has moved. */
export interface Identity {
  installation: string
  version: string
}

export function keyRoutes(app: FastifyInstance, identity: () => Promise<Identity>): void {
  app.get(
    '/key',
    {
      schema: {
        operationId: 'getKey',
        summary: 'The key in use',
        description:
          'Lets an integration find out whether it may write. The headers `Hypocaust-Installation` and `Hypocaust-Version` tell which service it is, under whatever address.',
        tags: ['Key'],
        headers: ReadHeaders,
        response: readResponses(success('The key, without its value.', 'Key')),
      },
    },
    async (request, reply) => {
      const { installation, version } = await identity()
      reply.headers({ 'hypocaust-installation': installation, 'hypocaust-version': version })
      return keyView(request.apiKey)
    },
  )
}
