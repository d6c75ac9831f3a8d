import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { API_KEY_SCHEME } from '../openapi.ts'
import { completeResponses } from '../openapi-responses.ts'
import { withPortablePatterns } from '../portable-patterns.ts'
import { withUsedSchemas } from '../used-schemas.ts'
import { NAMED_OF_CONTROL } from '../v1/schemas.ts'

declare module 'fastify' {
  interface FastifyInstance {
    controlDocument(): object
  }
}

const DESCRIPTION = `The settings of the heating control: programmes, calendars, comfort, cooling, hot water and the type of floor; and what a building can do for the grid. Readings, targets, overrides and absences are on \`/v1\`.

Keys, errors, limits and times are those of \`/v1\`. A key opens this interface only if its holder chose that when creating it: "also the settings of the heating control".`

/** Made from the routes below the prefix alone. */
export async function describeControl(control: FastifyInstance, version: string): Promise<() => Buffer> {
  for (const [$id, schema] of Object.entries(NAMED_OF_CONTROL)) control.addSchema({ ...schema, $id })
  await control.register(swagger, {
    decorator: 'controlDocument',
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Hypocaust, the heating control',
        version,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This service' }],
      tags: [
        { name: 'Programme', description: 'When a room is warm.' },
        { name: 'Calendars', description: 'What the programme follows beside its week plan.' },
        { name: 'Comfort', description: 'How closely rooms are held at their setpoints.' },
        { name: 'Cooling', description: 'Season, targets and state of a building whose source can cool.' },
        { name: 'Flexibility', description: 'What buildings can do for the grid, and what they have done.' },
        { name: 'Hot water', description: 'The tank of a building: how hot it is to be when, and what it does now.' },
      ],
      components: { securitySchemes: { apiKey: API_KEY_SCHEME } },
      security: [{ apiKey: [] }],
    },
    transformObject: (made) =>
      withPortablePatterns(withUsedSchemas(completeResponses('openapiObject' in made ? made.openapiObject : {}))),
    refResolver: { buildLocalReference: (json) => String(json.$id) },
  })
  let document: Buffer | undefined
  return () => {
    document ??= Buffer.from(JSON.stringify(control.controlDocument()))
    return document
  }
}
