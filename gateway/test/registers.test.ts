import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { registerFaults, registerMaps } from '../src/config/polled.ts'
import {
  blocksOf,
  type Register,
  TABLES,
  textOfWords,
  WORD_TYPES,
  wordsOf,
  wordsOfText,
} from '../src/polled/register.ts'

const PLAIN: Register = {
  table: 'holding',
  address: 0,
  type: 'int16',
  isLowWordFirst: false,
  bit: null,
  scale: 1,
  offset: 0,
  none: [],
  write: { min: -1e6, max: 1e6 },
}
const said = (register: Partial<Register>, words: number[]) => textOfWords({ ...PLAIN, ...register }, words)
const written = (register: Partial<Register>, text: string) => wordsOfText({ ...PLAIN, ...register }, text)

const registers = fc.record({
  table: fc.constantFrom(...TABLES),
  address: fc.integer({ min: 0, max: 400 }),
  type: fc.constantFrom(...WORD_TYPES),
})

describe('the value of a register', () => {
  test.each([
    ['a temperature below zero', { scale: 0.1 }, [0xff9c], '-10'],
    ['a scaled number without digits that are not there', { scale: 0.1 }, [213], '21.3'],
    ['a counter of two words', { type: 'uint32' as const }, [1, 2], '65538'],
    ['the same with the low word first', { type: 'uint32' as const, isLowWordFirst: true }, [2, 1], '65538'],
    ['a float', { type: 'float32' as const }, [0x41ac, 0x0000], '21.5'],
    ['an offset', { scale: 0.5, offset: -20 }, [80], '20'],
    ['a bit that is set', { type: 'uint16' as const, bit: 5 }, [0b100000], 'ON'],
    ['a bit that is not', { type: 'uint16' as const, bit: 5 }, [0b011111], 'OFF'],
    ['the highest bit', { type: 'uint16' as const, bit: 15 }, [0x8000], 'ON'],
    ['a bit of a word with a sign, while its highest bit is set', { bit: 4 }, [0x8010], 'ON'],
    ['the highest bit of a word with a sign', { bit: 15 }, [0x8000], 'ON'],
    ['another bit of it', { bit: 3 }, [0x8010], 'OFF'],
    ['a coil', { table: 'coil' as const }, [1], 'ON'],
    ['what the device calls missing', { none: [-32_768] }, [0x8000], undefined],
    ['a float that is no number', { type: 'float32' as const }, [0x7fc0, 0], undefined],
  ])('%s', (_, register, words, text) => {
    expect(said(register, words)).toBe(text)
  })

  test('is read as it was written, to half a step of the device', () => {
    const any = fc.record({
      type: fc.constantFrom(...WORD_TYPES),
      isLowWordFirst: fc.boolean(),
      scale: fc.constantFrom(0.01, 0.1, 0.5, 1, 2, -1),
      offset: fc.constantFrom(0, -40, 12.5),
      value: fc.integer({ min: -300, max: 300 }),
    })
    fc.assert(
      fc.property(any, ({ value, ...register }) => {
        const order = written(register, String(value))
        if (!order.ok) expect(order.why).toContain('does not fit')
        else {
          const back = Number(said(register, order.words))
          expect(Math.abs(back - value)).toBeLessThanOrEqual(Math.abs(register.scale) / 2 + 1e-4)
        }
      }),
    )
  })

  test.each([
    ['above its limit', '61', '61 is not within 20 and 60'],
    ['below its limit', '-3', 'is not within'],
    ['of no number', 'warm', 'is no number'],
    ['of nothing', '', 'is no number'],
    ['without end', 'Infinity', 'is no number'],
  ])('an order %s is refused', (_, text, why) => {
    expect(written({ write: { min: 20, max: 60 } }, text)).toEqual({ ok: false, why: expect.stringContaining(why) })
  })

  test('what is only read, or does not fit, is never written', () => {
    expect(written({ write: null }, '1')).toMatchObject({ ok: false })
    expect(written({ scale: 0.01 }, '400')).toMatchObject({ ok: false })
    expect(written({ type: 'uint16' }, '-1')).toMatchObject({ ok: false })
    expect(written({ table: 'coil' }, 'ON')).toEqual({ ok: true, words: [1] })
  })
})

test('a device is asked for every value once, for none that nobody named, and for at most 64 at a time', () => {
  fc.assert(
    fc.property(fc.array(registers, { maxLength: 40 }), (all) => {
      const values = all.map((each, i) => ({ name: `v${i}`, register: { ...PLAIN, ...each } }))
      const blocks = blocksOf(values)
      expect(blocks.flatMap((block) => block.values.map(({ name }) => name)).toSorted()).toEqual(
        values.map(({ name }) => name).toSorted(),
      )
      const cells = ({ table, address }: { table: string; address: number }, count: number) =>
        Array.from({ length: count }, (_, i) => `${table} ${address + i}`)
      const asked = blocks.flatMap((block) => cells(block, block.count))
      const named = new Set(values.flatMap(({ register }) => cells(register, wordsOf(register))))
      expect(new Set(asked)).toEqual(named)
      for (const block of blocks) {
        expect(block.count).toBeLessThanOrEqual(64)
        for (const { register } of block.values) {
          expect(register.address).toBeGreaterThanOrEqual(block.address)
          expect(register.address + wordsOf(register)).toBeLessThanOrEqual(block.address + block.count)
        }
      }
    }),
  )
})

test('every register map that comes with the program is without a fault', () => {
  const maps = [...registerMaps().values()]
  expect(maps.map(({ map }) => map)).toEqual(['nibe-s', 'stiebel-isg'])
  expect(maps.flatMap(({ values }) => Object.values(values).flatMap(registerFaults))).toEqual([])
})
