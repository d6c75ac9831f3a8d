import { expect, test } from 'vitest'
import { storeErrorOf } from '../src/store/postgres/errors.ts'

const kindOf = (code: string) => storeErrorOf(Object.assign(new Error('of the server'), { code }))

test.each([
  ['a lost connection', '08006'],
  ['a full disk', '53100'],
  ['a lock not granted in time', '55P03'],
  ['a server that stops', '57P01'],
  ['a file of the server that cannot be read', '58030'],
  ['a deadlock', '40P01'],
])('%s passes by itself', (_what, code) => expect(kindOf(code)).toMatchObject({ kind: 'unavailable' }))

test('a statement that is wrong does not', () => expect(kindOf('42P01')).toMatchObject({ kind: 'other' }))

test.each(['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'ECONNABORTED', 'ECONNREFUSED', 'EAI_AGAIN'])(
  'a network without a way (%s) passes by itself',
  (code) => {
    const error = Object.assign(new Error(`connect ${code}`), { code, syscall: 'connect' })
    expect(storeErrorOf(error)).toMatchObject({ kind: 'unavailable' })
    // A name with several addresses has a failure for each.
    expect(storeErrorOf(new AggregateError([error], ''))).toMatchObject({ kind: 'unavailable' })
  },
)

test.each([
  ['that the server has closed', 'EPIPE', 'This socket has been ended by the other party'],
  ['that was cut', 'ERR_STREAM_DESTROYED', 'Cannot call write after a stream was destroyed'],
  ['that broke before it was encrypted', 'ECONNRESET', 'Client network socket disconnected'],
])('a connection %s passes by itself, though no call of the system failed', (_what, code, message) => {
  expect(storeErrorOf(Object.assign(new Error(message), { code }))).toMatchObject({ kind: 'unavailable' })
})
