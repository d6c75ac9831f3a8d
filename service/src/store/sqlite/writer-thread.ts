// All writes of a process, on a thread of their own: a slow disk delays writers, never readers.
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { refuseBeyond, StoreError } from '../store.ts'
import { Connection, type StatementResult } from './connection.ts'
import type { Answer, Job } from './messages.ts'

const port = parentPort
if (!port) throw new Error('the writer runs as a worker thread')

/** Each sensor has a page of its own to write to. With SQLite's 2 MB, 400 sensors read theirs anew for each batch. */
const CACHE_KB = 16_000
/**
 * A page that was written several times is copied into the database once. SQLite's 1,000 pages are 2 seconds of messages
 * from 100 gateways; up to 4,062 are found by one look into the log's index.
 */
const CHECKPOINT_PAGES = 4000

const connection = Connection.open((workerData as { file: string }).file)
execute(`pragma cache_size = -${CACHE_KB}`)
execute(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`)

port.on('message', (first: Job[] | 'close') => {
  const messages = [first, ...arrived(port)]
  commit(messages.flatMap((jobs) => (jobs === 'close' ? [] : jobs)))
  if (!messages.includes('close')) return
  connection.close()
  port.close()
})

/** What has arrived meanwhile shares a transaction, and so one flush to the disk. */
function* arrived(from: MessagePort): Generator<Job[] | 'close'> {
  for (let next = receiveMessageOnPort(from); next; next = receiveMessageOnPort(from)) yield next.message
}

function commit(jobs: Job[]): void {
  if (jobs.length === 0) return
  let answers: Answer[]
  try {
    execute('begin immediate')
    answers = together(jobs) ?? jobs.map(attempt)
    execute('commit')
  } catch (error) {
    rollback()
    answers = jobs.map(({ id }) => ({ id, error: plain(error) }))
  }
  port?.postMessage(answers)
}

/**
 * As a rule no job fails. If one does, the transaction begins anew and nothing has been written: a savepoint would copy
 * each page before it changes.
 */
function together(jobs: Job[]): Answer[] | undefined {
  try {
    return jobs.map((job) => ({ id: job.id, results: carriedOut(job) }))
  } catch {
    rollback()
    execute('begin immediate')
    return undefined
  }
}

function carriedOut({ statements, limits }: Job): StatementResult[] {
  const results = statements.map((statement) => connection.run(statement))
  for (const limit of limits) refuseBeyond(limit, connection.run(limit.count).rows)
  return results
}

/** One job within the shared transaction: if it fails, the others still stand. */
function attempt(job: Job): Answer {
  const { id } = job
  execute('savepoint job')
  try {
    const results = carriedOut(job)
    execute('release job')
    return { id, results }
  } catch (error) {
    execute('rollback to job')
    execute('release job')
    return { id, error: plain(error) }
  }
}

function execute(sql: string): void {
  connection.run({ sql, parameters: [] })
}

function rollback(): void {
  try {
    execute('rollback')
  } catch {
    // SQLite has already rolled back by itself, or the transaction never began.
  }
}

function plain(error: unknown): { kind: StoreError['kind']; message: string } {
  if (error instanceof StoreError) return { kind: error.kind, message: error.message }
  return { kind: 'other', message: error instanceof Error ? error.message : String(error) }
}
