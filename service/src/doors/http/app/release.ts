import { type InstalledAs, ReleaseState } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import type { LatestRelease } from '../../latest-release.ts'

export function releaseRoute(app: FastifyInstance, latest: LatestRelease, installedAs: InstalledAs): void {
  app.get(
    '/release',
    {
      schema: {
        hide: true,
        summary: 'Whether there is a newer version, and how this installation is updated',
        response: { 200: ReleaseState },
      },
    },
    async () => ({ latest: await latest.get(), installed_as: installedAs }),
  )
}
