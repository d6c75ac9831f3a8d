import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRedirectUri, isRegistered, redirectTo } from '../src/people/oauth/redirects.ts'

test.each([
  'https://app.example/back',
  'https://app.example/back?tenant=1',
  'http://127.0.0.1/back',
  'http://[::1]:5000/back',
  'http://localhost:5000/',
  'com.example.panel:/back',
])('%s may be registered', (uri) => {
  expect(isRedirectUri(uri)).toBe(true)
})

test.each([
  'http://app.example/back',
  'http://127.0.0.1.app.example/',
  'http://localhost.app.example/',
  'https://app.example/back#part',
  'https://ada:secret@app.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'panel:/back',
  '/back',
  '',
  `https://app.example/${'x'.repeat(600)}`,
])('%s may not', (uri) => {
  expect(isRedirectUri(uri)).toBe(false)
})

test('an address is the registered one to the letter, but for the port of a program on the same machine', () => {
  const registered = ['https://app.example/back', 'http://127.0.0.1/back', 'http://[::1]:1/back']
  const isOne = (uri: string) => isRegistered(registered, uri)
  for (const uri of [...registered, 'http://127.0.0.1:41234/back', 'http://[::1]:41234/back', 'http://[::1]/back'])
    expect(isOne(uri), uri).toBe(true)
  for (const uri of [
    'https://app.example/back/',
    'https://app.example/back?x=1',
    'https://app.example:443/back',
    'https://app.example/./back',
    'https://APP.example/back',
    'https://app.example.evil.example/back',
    'http://127.0.0.1:41234/other',
    'http://127.0.0.1:41234@evil.example/back',
    'http://localhost:41234/back',
  ])
    expect(isOne(uri), uri).toBe(false)
})

test('whatever an address has that is no port, another is not taken for it', () => {
  const path = fc.webPath().map((each) => `https://app.example${each}`)
  fc.assert(
    fc.property(path, path, (one, other) => {
      expect(isRegistered([one], other)).toBe(one === other && isRedirectUri(one))
    }),
  )
})

test('what is added to an address comes back out of it, and nothing of it is lost', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (code, state) => {
      const back = new URL(redirectTo('https://app.example/back?tenant=1', { code, state, none: undefined }))
      expect([...back.searchParams]).toEqual([
        ['tenant', '1'],
        ['code', code.toWellFormed()],
        ['state', state.toWellFormed()],
      ])
    }),
  )
})
