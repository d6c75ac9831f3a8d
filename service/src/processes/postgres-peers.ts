import type { Logger } from 'pino'
import type { RunExclusively } from './exclusive.ts'
import type { News } from './news.ts'
import { PostgresNews } from './postgres-news.ts'
import { PostgresNotifier } from './postgres-notifier.ts'
import { PostgresShares, type SharesParts } from './postgres-shares.ts'

/** What a process has to do with the others on the same PostgreSQL. */
export interface Peers {
  news: News
  alone: RunExclusively
  shares(parts: SharesParts): PostgresShares
  stop(): Promise<void>
}

export async function joinPeers(url: string, logger: Logger): Promise<Peers> {
  const notifier = new PostgresNotifier(url, logger)
  const news = new PostgresNews(notifier)
  await notifier.start()
  await news.start()
  return {
    news,
    alone: (job, work) => notifier.alone(job, work),
    shares: (parts) => new PostgresShares(notifier, parts),
    async stop() {
      await news.stop()
      await notifier.stop()
    },
  }
}
