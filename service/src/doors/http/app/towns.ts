import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Town, TownsQuery } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { findTowns, nearestTown, parseTowns } from '../../../house/buildings/towns.ts'

/** Finds the place of a building by a town; no other server is asked. The list comes with the built website. */
export function townRoutes(app: FastifyInstance, websiteFolder: string): void {
  let towns: Promise<Town[]> | undefined
  app.get<{ Querystring: TownsQuery }>(
    '/towns',
    {
      schema: {
        hide: true,
        summary: 'Towns by the beginning of their name, or the one nearest to a place',
        querystring: TownsQuery,
        response: { 200: Type.Array(Town) },
      },
    },
    async ({ query: { name, lat, lng } }) => {
      towns ??= readTowns(websiteFolder)
      if (name !== undefined) return findTowns(await towns, name)
      const nearest = lat && lng ? nearestTown(await towns, { lat: Number(lat), lng: Number(lng) }) : undefined
      return nearest ? [nearest] : []
    },
  )
}

/** Without a built website there are none. */
const readTowns = async (folder: string): Promise<Town[]> =>
  parseTowns(await readFile(join(folder, 'towns.txt'), 'utf8').catch(() => ''))
