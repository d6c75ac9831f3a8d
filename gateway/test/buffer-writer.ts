// Stores readings as fast as it can and prints each one once it is on disk, until it is killed.
import { writeSync } from 'node:fs'
import { keyOf, type Message, ReadingBuffer } from '../src/agent/buffer.ts'
import { Store } from '../src/base/store.ts'

const store = new Store(process.argv[2] ?? '', console.error)
store.open()
const buffer = new ReadingBuffer(store, 1e9)
buffer.start()

const tell = (line: string) => writeSync(1, `${line}\n`)

for (let i = 0; ; i += 1) {
  const temperature = (i % 4000) / 100
  const reading = { id: 'aa:bb:cc:dd:ee:ff', temperature, timestamp: new Date().toISOString() }
  const { message } = buffer.append([reading], { monoMs: i, wallMs: i, clockOk: true })
  tell(`stored ${keyOf(message)} ${temperature}`)
  if (i % 3 === 0) commit(buffer.oldest(1, new Map())[0])
}

function commit(message: Message | undefined): void {
  if (!message) return
  tell(`committed ${keyOf(message)}`)
  buffer.commit(message)
}
