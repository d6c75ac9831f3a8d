import { readFile } from 'node:fs/promises'
import { matches, type Notice, Notices } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'

/** What has failed beside the service, as the program that runs both has written it down. */
export function noticeRoutes(app: FastifyInstance, file: string | undefined): void {
  app.get(
    '/notices',
    { schema: { hide: true, summary: 'What has failed beside the service', response: { 200: Notices } } },
    async () => (file === undefined ? [] : readNotices(file)),
  )
}

/** A file that is missing or half written reports nothing. */
async function readNotices(file: string): Promise<Notice[]> {
  try {
    const notices: unknown = JSON.parse(await readFile(file, 'utf8'))
    return matches(Notices, notices) ? notices : []
  } catch {
    return []
  }
}
