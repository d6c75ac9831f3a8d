import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashSecret, hintOf, isWellFormed, newSecret, SECRET_IN_TEXT } from '../src/base/secret.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('a secret', () => {
  test('is its prefix, 32 random base62 characters, and 6 of the CRC32 of what precedes', () => {
    const secret = newSecret('hyp_')
    expect(secret).toMatch(/^hyp_[0-9A-Za-z]{38}$/)
    const digits = [...secret.slice(-6)].map((digit) => BASE62.indexOf(digit))
    expect(digits.reduce((sum, digit) => sum * 62 + digit, 0)).toBe(crc32(secret.slice(0, -6)))
  })

  test('is one word for a double click', () => {
    expect(newSecret('hyp_')).toMatch(/^\w+$/)
  })

  test('is never the same twice', () => {
    expect(new Set(Array.from({ length: 500 }, () => newSecret('hyp_'))).size).toBe(500)
  })

  test('is well-formed when just made, for its own prefix and no other', () => {
    for (let i = 0; i < 100; i++) {
      const secret = newSecret('hyp_')
      expect(isWellFormed('hyp_', secret)).toBe(true)
      expect(isWellFormed('hypg_', secret)).toBe(false)
      expect(isWellFormed('hypg_', newSecret('hypg_'))).toBe(true)
    }
  })

  test('with any one character mistyped is refused', () => {
    const typing = fc.record({ place: fc.nat(41), character: fc.constantFrom(...BASE62, '-', ' ') })
    fc.assert(
      fc.property(typing, ({ place, character }) => {
        const secret = newSecret('hyp_')
        fc.pre(secret[place] !== character)
        expect(isWellFormed('hyp_', secret.slice(0, place) + character + secret.slice(place + 1))).toBe(false)
      }),
    )
  })

  test('with two neighbours exchanged is refused', () => {
    fc.assert(
      fc.property(fc.nat(40), (place) => {
        const secret = newSecret('hyp_')
        const [a, b] = [secret[place], secret[place + 1]]
        fc.pre(a !== b)
        expect(isWellFormed('hyp_', secret.slice(0, place) + b + a + secret.slice(place + 2))).toBe(false)
      }),
    )
  })

  test('cannot be any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => !isWellFormed('hyp_', text)))
    expect(isWellFormed('hyp_', `${newSecret('hyp_')}\n`)).toBe(false)
  })

  test('is kept as its SHA-256 and shown as prefix and last four', () => {
    const secret = newSecret('hyp_')
    expect(hashSecret(secret)).toBe(createHash('sha256').update(secret).digest('hex'))
    expect(hintOf('hyp_', secret)).toBe(`hyp_…${secret.slice(-4)}`)
  })

  test('is found in any text around it', () => {
    const [key, token] = [newSecret('hyp_'), newSecret('hypg_')]
    const text = `{"x-api-key":"${key}"} mqtt://gateway:${token}@host`
    expect(text.match(SECRET_IN_TEXT)).toEqual([key, token])
  })
})
