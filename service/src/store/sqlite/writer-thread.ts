// All writes of a process, on a thread of their own: a slow disk delays writers, never readers.
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { watchBeats } from '../../base/beats.ts'
import { JobWriter } from './job-writer.ts'
import type { Message } from './messages.ts'

const port = parentPort
if (!port) throw new Error('the writer runs as a worker thread')

const writer = new JobWriter((workerData as { file: string }).file)

port.on('message', (first: Message) => {
  const messages = [first, ...arrived(port)]
  const jobs = messages.flatMap((each) => (Array.isArray(each) ? each : []))
  if (jobs.length > 0) port.postMessage(writer.commit(jobs))
  for (const each of messages) if (typeof each === 'object' && 'watch' in each) watchBeats(each.watch).unref()
  if (!messages.includes('close')) return
  writer.close()
  port.close()
})

/** What has arrived meanwhile shares a transaction, and so one flush to the disk. */
function* arrived(from: MessagePort): Generator<Message> {
  for (let next = receiveMessageOnPort(from); next; next = receiveMessageOnPort(from)) yield next.message
}
