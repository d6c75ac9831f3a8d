import swagger from '@fastify/swagger'
import { READS_A_MINUTE, WRITES_A_MINUTE } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import { withChoices } from './choices.ts'
import { completeResponses } from './openapi-responses.ts'
import { withPortablePatterns } from './portable-patterns.ts'
import { withUsedSchemas } from './used-schemas.ts'
import { exampleOf } from './v1/examples.ts'
import { NAMED } from './v1/schemas.ts'

const DESCRIPTION = `Read and control the rooms of a floor-heating system.

Every request carries an API key in the header \`x-api-key\`, or the access token of a connected app as \`Authorization: Bearer\`. A key reaches the buildings of its holder and no others; one with the permission \`read\` cannot change anything.

All times are ISO 8601 in UTC, all temperatures in degrees Celsius. Temperature changes slowly: poll every 30 to 60 seconds, and send the last \`ETag\` as \`If-None-Match\`; an unchanged answer is a \`304\` and costs nothing.

Each key has a budget for reads and a separate one for writes: ${READS_A_MINUTE} and ${WRITES_A_MINUTE} a minute unless the operator chose others. \`RateLimit-Policy\` names the budget on every answer, \`RateLimit\` what is left of it on every answer to a valid key. History and energy cost 4 for up to two weeks and one more for every further two weeks, a page of the log 4, a change of several rooms 5, a report of a house 28 and 8 more for each room; everything else costs one, and one more for every four rooms where the state of a building has to be worked out anew. An answer \`304\` to a request that costs one costs nothing, and is given when the budget is used up, too.

To change only what you have seen, send the \`ETag\` of the room, the override or the absence as \`If-Match\`: if its settings have changed since, nothing is written and the answer is a \`412\`.

A value that is not known is \`null\`, never an invented number: a sensor that has not reported for 60 minutes gives a \`current_temperature\` of \`null\`.

Within \`/v1\` changes only add. A field or path to be removed carries \`Deprecation\` and \`Sunset\` for at least twelve months first.`

export const API_KEY_SCHEME = {
  type: 'apiKey',
  in: 'header',
  name: 'x-api-key',
  description: 'Created by the account owner, shown once, revocable: `hyp_` and 38 letters and digits.',
} as const

const TOKEN_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  description:
    'Of an app that a person has granted access (OAuth 2.1; `/.well-known/oauth-authorization-server`): `hypa_` and 38 letters and digits, good for an hour.',
} as const

export const CONTROL_PREFIX = '/control/v1'
const isOfControl = (url: string): boolean => url.startsWith(`${CONTROL_PREFIX}/`)

/** The document is made from the routes and their schemas; nothing in it is written twice. */
export async function describeInterface(app: FastifyInstance, version: string): Promise<void> {
  for (const [$id, schema] of Object.entries(NAMED)) app.addSchema({ examples: [exampleOf(schema)], ...schema, $id })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Hypocaust',
        version,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This service' }],
      tags: [
        { name: 'Buildings', description: 'Where the floors are.' },
        { name: 'Rooms', description: 'Readings, targets, and what the floor is doing.' },
        { name: 'Changes', description: 'Waiting instead of asking again and again.' },
        { name: 'Key', description: 'What the caller may do.' },
      ],
      components: {
        securitySchemes: {
          apiKey: API_KEY_SCHEME,
          token: TOKEN_SCHEME,
        },
      },
      security: [{ apiKey: [] }, { token: [] }],
    },
    transformObject: (made) =>
      withChoices(
        withPortablePatterns(withUsedSchemas(completeResponses('openapiObject' in made ? made.openapiObject : {}))),
      ),
    // Described in a document of its own.
    transform: ({ schema, url }) => ({ schema: isOfControl(url) ? { ...schema, hide: true } : schema, url }),
    refResolver: { buildLocalReference: (json) => String(json.$id) },
  })
  let document: Buffer | undefined
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    // Made once: routes do not change while the service runs.
    document ??= Buffer.from(JSON.stringify(app.swagger()))
    reply.type('application/json; charset=utf-8')
    return document
  })
}
