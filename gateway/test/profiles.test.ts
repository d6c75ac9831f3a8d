import { describe, expect, test } from 'vitest'
import { profiles } from '../src/profiles/load.ts'
import { Reader } from '../src/read/index.ts'

const text = (payload: unknown) => (typeof payload === 'string' ? payload : JSON.stringify(payload))

describe.each([...profiles().values()])('the profile $profile', ({ examples }) => {
  test.each(examples)('understands $topic $payload', ({ topic, payload, gives }) => {
    const read = new Reader(null).read(topic, Buffer.from(text(payload)))
    expect(withoutDerivedIds(read)).toEqual(gives)
  })
})

/** An example names the place; the id derived from it is tested elsewhere. */
function withoutDerivedIds(read: ReturnType<Reader['read']>): unknown {
  if (!('readings' in read)) return read
  return { ...read, readings: read.readings.map(({ sensor, ...rest }) => (rest.name ? rest : { sensor, ...rest })) }
}
